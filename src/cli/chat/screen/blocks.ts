import { Markdown, truncateToWidth, wrapTextWithAnsi, type Component } from '@earendil-works/pi-tui'
import { paint, shown, type Style } from '../../terminal.ts'
import { markdownTheme } from './theme.ts'

/** Something drawn on the screen, built again only where the width or its content has changed. */
export function block(build: (width: number) => string[]): Component {
  let drawn: { width: number; lines: string[] } | null = null
  return {
    render: (width) => {
      if (drawn?.width !== width) drawn = { width, lines: build(width) }
      return drawn.lines
    },
    invalidate: () => (drawn = null),
  }
}

/** Text of ours, already painted, wrapped to the screen. */
export function textBlock(text: string): Component {
  return block((width) => wrapped(text, width))
}

/** What a person said. */
export function saidBlock(text: string): Component {
  return block((width) => ['', ...prefixed(wrapped(shown(text), width - 2), `${paint('cyan', '›')} `, '  ')])
}

/** Something that waits for a person: Markdown behind a bar. */
export function card(style: Style, parts: (width: number) => string[]): Component {
  const bar = `${paint(style, '┃')} `
  return block((width) => ['', ...parts(width - 2).map((line) => bar + line)])
}

/** Markdown as lines. What would steer the terminal is a visible sign before it comes here and after. */
export function markdownLines(text: string, width: number): string[] {
  return new Markdown(shown(text), 0, 0, markdownTheme, undefined, markdownOptions).render(Math.max(width, 1))
}

/** Numbers stay as the model wrote them, for people answer by them; formulas stay text. */
export const markdownOptions = { preserveOrderedListMarkers: true, renderLatex: false }

/** Lines that fit; tabs would be wider than they are counted. */
export function wrapped(text: string, width: number): string[] {
  return text
    .replaceAll('\t', '    ')
    .split('\n')
    .flatMap((line) => (line === '' ? [''] : wrapTextWithAnsi(line, Math.max(width, 1))))
}

/** Lines cut at the edge of the screen, where their beginning says enough. */
export function cutAt(width: number, lines: readonly string[]): string[] {
  return lines.map((line) => truncateToWidth(line.replaceAll('\t', '    '), Math.max(width, 1), '…'))
}

function prefixed(lines: readonly string[], first: string, rest: string): string[] {
  return lines.map((line, at) => (at === 0 ? first : rest) + line)
}

import type { Component } from '@earendil-works/pi-tui'
import { callTarget } from '../../../domain/call-target.ts'
import { withoutTerminalCodes } from '../../../domain/text/terminal-codes.ts'
import { paint, shown } from '../../terminal.ts'
import { firstLine, toolLine } from '../print.ts'
import { cutAt } from './blocks.ts'
import { diffLines } from './diff-lines.ts'

/** So many of the last lines of a command stay in sight. */
const TAIL_LINES = 12
const KEPT_CHARS = 20_000

/** A call of an agent: what it is about, the end of what it prints, how it ended, and what it changed. */
export interface CallBlock extends Component {
  print(text: string): void
  end(result: { tool: string; outcome: string; output: string }): void
  changed(diff: string): void
}

/** A call that has begun; `by` names an agent that another has started. */
export function newCall(tool: string, input: unknown, by: string): CallBlock {
  let heading = `${by}  ▸ ${tool} ${paint('dim', firstLine(callTarget(input)))}`.trimEnd()
  let [printed, cut, diff] = ['', 0, '']
  let drawn: { width: number; lines: string[] } | null = null
  const build = (width: number): string[] => {
    const lines = shown(printed).split('\n')
    if (lines.at(-1) === '') lines.pop()
    const left = Math.max(0, lines.length - TAIL_LINES) + cut
    const tail = [...(left > 0 ? [`… ${left} lines above`] : []), ...lines.slice(-TAIL_LINES)]
    const bar = paint('dim', '  │ ')
    return cutAt(width, [
      heading,
      ...(printed === '' ? [] : tail.map((line) => bar + line)),
      ...(diff === '' ? [] : diffLines(diff).map((line) => `    ${line}`)),
    ])
  }
  const change = (so: () => void) => {
    so()
    drawn = null
  }
  return {
    render: (width) => {
      if (drawn?.width !== width) drawn = { width, lines: build(width) }
      return drawn.lines
    },
    invalidate: () => (drawn = null),
    print: (text) =>
      change(() => {
        printed += withoutTerminalCodes(text)
        const over = printed.length > KEPT_CHARS ? printed.slice(0, -KEPT_CHARS / 2) : ''
        cut += over.split('\n').length - 1
        printed = printed.slice(over.length)
      }),
    end: (result) => change(() => (heading = by + toolLine(result, input))),
    changed: (patch) => change(() => (diff = patch)),
  }
}

import { Markdown, type Component } from '@earendil-works/pi-tui'
import { jsonObjectsIn, withoutSpans } from '../../../domain/text/json-in-text.ts'
import { STEP_MARK } from '../../../domain/text/step-mark.ts'
import { shown } from '../../terminal.ts'
import { markdownOptions } from './blocks.ts'
import { markdownTheme } from './theme.ts'

/** What a model is saying: it grows piece by piece, and only its last paragraph is laid out again. */
export interface Reply extends Component {
  add(text: string): void
  /** How much of it has come. */
  length(): number
  /** All of it is there; what was held back is shown. */
  end(): void
  /** A plan or question stood in it, which has a card of its own. */
  handOver(): void
}

/** An object at the beginning of a line, or a fence with one: most likely a plan or a question that is being written. */
const beginsObject = /(^|\n)[ \t]*(?:```\w*[ \t]*\n\s*)?\{[ \t]*(?:\n|"|'|\/|$)/

/** An empty reply. */
export function newReply(): Reply {
  let text = ''
  let state: 'growing' | 'whole' | 'handed' = 'growing'
  const drawn = new Map<number, { source: string; markdown: Markdown }>()
  const visible = () => {
    if (state === 'whole') return text
    const at = beginsObject.exec(text)
    const before = at === null ? text : text.slice(0, at.index)
    if (state === 'growing') return before
    const objects = jsonObjectsIn(text)
    return objects.length === 0 ? before : withoutSpans(text, objects)
  }
  const drawParagraph = (source: string, place: number, width: number): string[] => {
    let kept = drawn.get(place)
    if (kept?.source !== source) {
      kept = { source, markdown: new Markdown(shown(source), 0, 0, markdownTheme, undefined, markdownOptions) }
      drawn.set(place, kept)
    }
    return kept.markdown.render(width)
  }
  return {
    add: (piece) => void (text += piece),
    length: () => text.length,
    end: () => {
      if (state === 'growing') state = 'whole'
    },
    handOver: () => void (state = 'handed'),
    invalidate: () => drawn.clear(),
    render: (width) => {
      const said = visible()
        .replaceAll(STEP_MARK, (_, mark: string) => `*· ${mark}*\n\n`)
        .trim()
      if (said === '') return []
      return ['', ...paragraphsOf(said).flatMap((source, place) => [...(place > 0 ? [''] : []), ...drawParagraph(source, place, width)])]
    },
  }
}

/** Where a paragraph, a list or a fenced block has ended for good. What is indented after an empty line belongs to what is before it. */
function paragraphsOf(text: string): string[] {
  const paragraphs: string[] = []
  let lines: string[] = []
  let fence: string | null = null
  for (const line of text.split('\n')) {
    if (fence === null && lines.at(-1)?.trim() === '' && /^\S/.test(line)) {
      paragraphs.push(lines.join('\n').trim())
      lines = []
    }
    const marks = /^\s*(```+|~~~+)/.exec(line)?.[1]
    if (marks !== undefined) fence = fence === null ? marks : line.trim().startsWith(fence) ? null : fence
    lines.push(line)
  }
  return [...paragraphs, lines.join('\n').trimEnd()].filter((paragraph) => paragraph.trim() !== '')
}

import Anser, { type AnserJsonEntry } from 'anser'
import { withoutCursorCodes } from '../../../src/domain/text/terminal-codes.ts'

/** The colours of a terminal as this page has them: readable by day and by night. */
const colours: Record<string, string> = {
  black: 'text-soft',
  red: 'text-danger',
  green: 'text-good',
  yellow: 'text-warn',
  blue: 'text-accent',
  magenta: 'text-accent',
  cyan: 'text-good',
}

/** What a program printed, in the colours it asked for; a line that was written over shows as it was last. */
export function Ansi({ text }: { text: string }) {
  const last = withoutCursorCodes(text)
    .replaceAll(/[^\n]*\r(?!\n)/g, '')
    .trimEnd()
  return Anser.ansiToJson(last, { json: true, remove_empty: true, use_classes: true }).map((part, at) => (
    <span key={at} className={looks(part)}>
      {part.content}
    </span>
  ))
}

function looks({ fg, decorations }: AnserJsonEntry): string | undefined {
  const colour = colours[(fg ?? '').replace(/^ansi-(bright-)?/, '')]
  const weight = decorations.includes('bold') ? 'font-semibold' : undefined
  return [colour, weight].filter(Boolean).join(' ') || undefined
}

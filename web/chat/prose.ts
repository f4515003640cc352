import { jsonObjectsIn } from '../../src/domain/json-in-text.ts'

/** How an Actor marks its progress; the plan card shows it, so the text need not. */
const MARK = /^[ \t]*\[step \d{1,4} (?:active|done|deviated)\b[^\]\n]*\][ \t]*\n?/gim

/** What a reply says beside the plan or question that stands in it as JSON: the card shows that part. */
export function proseOf(text: string): string {
  let rest = text
  for (const { value, start, end } of jsonObjectsIn(text).toReversed()) {
    if (isHandedOver(value)) rest = `${rest.slice(0, start).replace(/```\w*\s*$/, '')}${rest.slice(end).replace(/^\s*```/, '')}`
  }
  return withoutMarks(rest)
}

/** A reply without the marks that drive the progress of a plan. */
export function withoutMarks(text: string): string {
  return text.replaceAll(MARK, '').trim()
}

/** The marks of a reply in words, for who reads along: "step 1 done, step 2 active". */
export function marksIn(text: string): string {
  return [...text.matchAll(MARK)].map(([mark]) => mark.trim().slice(1, -1)).join(', ')
}

/** What of a reply that is still being written can be read: a plan or question in the making is only announced. */
export function readableDraft(text: string): { prose: string; card: boolean } {
  const begins = /(?:```\w*\s*)?\{\s*"(?:goal|type|question)"/.exec(text)?.index ?? -1
  return begins === -1 ? { prose: withoutMarks(text), card: false } : { prose: withoutMarks(text.slice(0, begins)), card: true }
}

function isHandedOver(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('steps' in value || ('type' in value && value.type === 'question'))
}

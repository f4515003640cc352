import { jsonObjectsIn } from '../../src/domain/text/json-in-text.ts'
import { STEP_MARK } from '../../src/domain/text/step-mark.ts'

/** What a reply says beside the plan or question that stands in it as JSON: the card shows that part. */
export function proseOf(text: string): string {
  let rest = text
  for (const { value, start, end } of jsonObjectsIn(text).toReversed()) {
    if (isHandedOver(value)) rest = `${rest.slice(0, start).replace(/```\w*\s*$/, '')}${rest.slice(end).replace(/^\s*```/, '')}`
  }
  return withoutMarks(rest)
}

/** A reply without its marks of progress: the plan card shows that. */
export function withoutMarks(text: string): string {
  return text.replaceAll(STEP_MARK, '').trim()
}

/** The marks of a reply in words, for who reads along: "step 1 done, step 2 active". */
export function marksIn(text: string): string {
  return [...text.matchAll(STEP_MARK)].map(([, mark]) => mark).join(', ')
}

/** What of a reply that is still being written can be read: a plan or question in the making is only announced. */
export function readableDraft(text: string): { prose: string; card: boolean } {
  const begins = /(?:```\w*\s*)?\{\s*"(?:goal|type|question)"/.exec(text)?.index ?? -1
  return begins === -1 ? { prose: withoutMarks(text), card: false } : { prose: withoutMarks(text.slice(0, begins)), card: true }
}

function isHandedOver(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('steps' in value || ('type' in value && value.type === 'question'))
}

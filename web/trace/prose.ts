import { STEP_MARK } from '../../src/domain/text/step-mark.ts'

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

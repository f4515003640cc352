import type { Entry } from '../../domain/entry.ts'
import { Problem } from '../../domain/problem.ts'
import { modeOf } from '../../domain/role.ts'
import { readOutcome } from '../outcome.ts'
import { replyEntry, type TimedReply } from './reply-entry.ts'
import { afterTurn, tellReply } from '../turn.ts'
import { emitEvent, entryHead, recordEntries, type RunContext } from './context.ts'

/** What a note says that asks the model once more. */
const CODE = 'unreadable_reply'

/**
 * Where a reply was meant as a plan or a question and is none, the model is told the fault and asked once more: true.
 * Where it surely was meant as one the second time too, the run fails: it must not look done.
 */
export async function askedAgain(context: RunContext, reply: TimedReply): Promise<boolean> {
  const outcome = readOutcome(reply.text, modeOf(context.role))
  if (outcome.type !== 'text' || outcome.meant === null) return false
  const asked = wasAsked(context.view)
  if (asked && !outcome.certain) return false
  const { meant, unparsed } = outcome
  await recordEntries(context, { add: { ...replyEntry(context, reply), unparsed }, run: afterTurn(context, reply) })
  tellReply(context, reply)
  if (asked) throw new Problem('unreadable_reply', `the model was asked twice for its ${meant}, and it cannot be read: ${unparsed}`)
  const text = `This cannot be read as a ${meant} (${unparsed}). Send the whole ${meant} again as one JSON object with this fixed. If it was not meant as one, answer in plain words.`
  await recordEntries(context, { add: { ...entryHead(context), from: 'note', type: 'error', text, details: { code: CODE } } })
  emitEvent(context, { type: 'error', code: CODE, message: `the model is asked again: ${unparsed}`, retryable: true })
  return true
}

/** Whether the last thing the model was told, but for words of the user, is that it is asked again. */
function wasAsked(view: readonly Entry[]): boolean {
  const last = view.findLast((entry) => entry.from !== 'user')
  return last?.from === 'note' && last.details['code'] === CODE
}

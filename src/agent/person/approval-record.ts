import * as z from 'zod'
import type { ToolCall, ToolEntry } from '../../domain/entry.ts'
import { Approval, type Question } from '../../domain/question.ts'
import type { Stored } from '../../store/collection.ts'
import { questions } from '../../store/run-tables.ts'
import { isYes } from '../../tools/approval-question.ts'
import type { FoundApproval, StartedCall } from '../../tools/tool.ts'
import { answerEntry, recordEntries, type RunContext } from '../run/context.ts'

/** What a `running` entry keeps of a call, so that another process can find out what became of it. */
const Started = z.object({ previewed: z.record(z.string(), z.unknown()), approval: Approval.nullable() })

/** A call that was started, as its entry tells of it. */
export function startedCall(call: ToolCall, { details }: ToolEntry): StartedCall {
  return { call, ...Started.parse(details) }
}

/** Stores that a call which may change the world is about to start; an approval is used up in the same transaction. */
export async function recordStart(context: RunContext, { call, previewed, approval }: StartedCall): Promise<void> {
  const was = context.answers.get(call.id)
  const details = { previewed, approval } satisfies z.infer<typeof Started>
  const entry = answerEntry(context, call, { outcome: 'running', output: '', details, took_ms: 0 })
  const used = approval && (await approvalOf(context, approval))
  const also = async (tx: RunContext['agent']['driver']) => {
    if (used?.item.approval) await questions.replace(tx, used, { ...used.item, approval: { ...used.item.approval, used_at: entry.at } })
  }
  await recordEntries(context, { ...(was ? { replace: { was, entry } } : { add: entry }), ...(used && { also }) })
}

/** A person's answer to the question about exactly this call, if there is one that was not used yet. */
export async function findApproval(context: RunContext, wanted: Approval): Promise<FoundApproval | null> {
  const found = await approvalOf(context, wanted)
  if (!found?.item.approval || found.item.status === 'pending') return null
  const { status, answer, approval } = found.item
  return { approval, granted: status === 'answered' && isYes(answer?.value), text: answer?.text ?? '' }
}

/** The question the call waits for. One that was asked about it before, and answered when the file had changed, counts no more. */
async function approvalOf(context: RunContext, wanted: Approval): Promise<Stored<Question> | null> {
  const id = context.answers.get(wanted.call_id)?.item.details.question_id
  const asked = typeof id === 'string' ? await questions.find(context.agent.driver, id) : null
  return asked?.item.approval?.call_id === wanted.call_id && asked.item.approval.used_at === null ? asked : null
}

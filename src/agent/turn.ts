import { Usage, type AssistantEntry, type ToolCall } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import type { Reply, Retry } from '../providers/provider.ts'
import { entries, plans, runs } from '../store/run-tables.ts'
import { nextNumber } from '../store/thread.ts'
import { holderId } from './holder.ts'
import { addUsage } from './limits.ts'
import { maskedEntry } from './mask-entry.ts'
import { record, stamp, tell, type Play } from './play.ts'

/** A reply and how long the model took for it. */
export type TimedReply = Reply & { took_ms: number }

/** Says who acts, and with what. */
export function tellStart(play: Play): void {
  const { agent_role, model, workspace } = play.run.item
  tell(play, { type: 'init', role: agent_role, model, workspace, tools: play.specs.map((spec) => spec.name) })
}

/** An agent that acts by itself may have been cut off in the midst of it; it is told so rather than silently sent again. */
export async function tellCutOff(play: Play): Promise<void> {
  const resumed = play.run.version > 1
  if (!resumed || play.performer.acts !== true || play.view.at(-1)?.from === 'assistant') return
  const text =
    'An earlier attempt was cut off before it reported. It may have done a part of the work: look at what is there before you go on.'
  await record(play, { add: { ...stamp(play), from: 'note', type: 'error', text, details: { code: 'interrupted' } } })
}

/** One request to the model. When the run is stopped meanwhile, what was said so far is kept and marked. */
export async function askModel(play: Play): Promise<TimedReply> {
  const { system, view, specs, signal } = play
  const { provider, model } = play.performer
  const started = performance.now()
  let heard = ''
  const onText = (text: string) => {
    heard += text
    tell(play, { type: 'delta', text })
  }
  const onRetry = ({ reason, wait_ms }: Retry) => {
    heard = ''
    const message = `${reason}; asked again in ${Math.ceil(wait_ms / 1_000)} s`
    tell(play, { type: 'error', code: 'provider_failed', message, retryable: true })
  }
  try {
    const reply = await provider.ask({ model, system, entries: view, tools: specs }, signal, onText, onRetry)
    return { ...reply, took_ms: Math.round(performance.now() - started) }
  } catch (error) {
    await storeCutOff(play, error, signal.aborted ? heard : '', Math.round(performance.now() - started))
    throw error
  }
}

/** Stores a reply before any of its calls runs. */
export async function storeReply(play: Play, reply: TimedReply): Promise<void> {
  await record(play, { add: replyEntry(play, reply), run: afterTurn(play.run.item, reply) })
  tellReply(play, reply)
}

/** A reply as the thread keeps it. */
export function replyEntry(play: Play, reply: TimedReply): AssistantEntry {
  const { text, model, usage, took_ms, provider_data } = reply
  return {
    ...stamp(play),
    from: 'assistant',
    role: play.run.item.agent_role,
    model,
    type: 'text',
    text,
    calls: withOwnIds(play, reply.calls),
    usage,
    took_ms,
    stopped: false,
    plan_id: null,
    question_id: null,
    proposals: [],
    unparsed: reply.stop === 'length' ? 'the reply was cut at the limit of its length' : null,
    ...(provider_data !== undefined && { provider_data }),
  }
}

/** What a turn adds to the record of its run. */
export function afterTurn(run: Run, { usage }: Pick<Reply, 'usage'>): Pick<Run, 'turns' | 'usage'> {
  return { turns: run.turns + 1, usage: addUsage(run.usage, usage) }
}

/** Tells of a reply, and corrects our guess of the thread's size by what the model counted. */
export function tellReply(play: Play, { text, usage }: Reply): void {
  if (usage.input_tokens > 0) play.size = usage.input_tokens + usage.output_tokens
  tell(play, { type: 'message', role: play.run.item.agent_role, text, usage })
}

/** A run that carries out a plan stops when the plan it was approved for is no longer that plan. */
export async function refuseChangedPlan(play: Play): Promise<void> {
  const { plan_id } = play.run.item
  if (plan_id === null) return
  const { item } = await plans.get(play.agent.driver, plan_id)
  if (item.status === 'approved') return
  throw new Problem('needs_person', `the plan this run carries out is ${item.status} now; approve the newest version to go on`)
}

/** Whoever stopped the run has changed its record; the words, and what the turn used, are added beside it, as long as the run is still ours. */
async function storeCutOff(play: Play, error: unknown, text: string, took_ms: number): Promise<void> {
  const spent = error instanceof Problem ? Usage.safeParse(error.details['usage']).data : undefined
  if (text === '' && spent === undefined) return
  const { model } = play.run.item
  const entry = replyEntry(play, { text, calls: [], usage: spent ?? Usage.parse({}), model, stop: 'end', took_ms })
  await play.agent.driver.transaction(async (tx) => {
    const was = await runs.get(tx, play.run.item.id)
    if (was.item.holder !== holderId()) return
    const stopped = { ...entry, stopped: true, number: await nextNumber(tx, entry.thread_id) }
    if (text !== '') await entries.add(tx, maskedEntry(stopped, play.agent.secrets ?? []))
    if (spent === undefined) return
    const stored = await runs.replace(tx, was, { ...was.item, usage: addUsage(was.item.usage, spent) })
    if (was.version === play.run.version) play.run = stored
  })
}

/** Some servers number the calls of each reply from one; answers and approvals need an id that is the call's own. */
function withOwnIds(play: Play, calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call) => {
    let id = call.id
    for (let again = 2; play.callIds.has(id); again++) id = `${call.id}_${again}`
    play.callIds.add(id)
    return { ...call, id }
  })
}

import type { AssistantEntry } from '../../domain/entry.ts'
import { nextState } from '../../domain/flow.ts'
import { planFlow, type Plan } from '../../domain/plan.ts'
import { maskedRecord } from '../../domain/text/mask.ts'
import { asProblem, isProblemCode, Problem, problems } from '../../domain/problem.ts'
import { modeOf } from '../../domain/role.ts'
import { runFlow, type Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { plans, questions, runs } from '../../store/run-tables.ts'
import type { CallsOutcome } from '../answer-calls.ts'
import { cutRun } from './cut-run.ts'
import { releasedLease } from './lease.ts'
import { holderId } from '../../sandbox/process/holder.ts'
import { readOutcome, type ReplyOutcome } from '../outcome.ts'
import { recordEntries, emitEvent, type RunContext } from './context.ts'
import { addPlan, draftPlan, newQuestion } from '../person/proposals.ts'
import { replyEntry, type TimedReply } from './reply-entry.ts'
import { afterTurn, tellReply } from '../turn.ts'

/** As much of a play as is there when it could not even be opened. */
export type OpenedRun = Pick<RunContext, 'agent' | 'run' | 'signal' | 'writing' | 'reply'>

/** Stores the last reply of a run together with what it amounts to: a plan, a question, or an answer. */
export async function concludeRun(context: RunContext, reply: TimedReply): Promise<Run> {
  if (reply.stop === 'filtered' && reply.text === '') throw new Problem('provider_refused', `${reply.model} refused to answer this request`)
  const { run, agent } = context
  const text = maskedRecord(reply.text, agent.secrets ?? []) // before it is read: what is stored is where the places count
  const outcome = readOutcome(text, modeOf(context.role))
  const proposed = outcome.type === 'plan' ? outcome.plans.map(({ content }) => draftPlan(run.item, content, agent.now())) : []
  const asked =
    outcome.type === 'question'
      ? outcome.questions.map(({ content }, at) => newQuestion(run.item, content, null, oneAfterAnother(agent.now(), at)))
      : []
  const entry = replyEntry(context, { ...reply, text })
  const unparsed = outcome.type === 'text' ? outcome.unparsed : null
  const proposals = proposalsOf(outcome, [...proposed, ...asked])
  const add = { ...entry, type: outcome.type, plan_id: proposed[0]?.id ?? null, question_id: asked[0]?.id ?? null, proposals, unparsed }
  const also = async (tx: Driver) => {
    for (const plan of proposed) await addPlan(tx, plan, each(proposed))
    for (const question of asked) await questions.add(tx, question)
    // Silence, or a question that cannot be read, is no sign that all is done.
    if (asked.length === 0 && unparsed === null && entry.cut === null && reply.text.trim() !== '') await finishPlan(tx, run.item)
  }
  const ending = asked[0] ? waitingFor(context, asked[0].id) : completed(context)
  await recordEntries(context, { add, run: { ...afterTurn(context, reply), ...ending }, also })
  tellReply(context, reply)
  for (const { id, content } of proposed) emitEvent(context, { type: 'plan', plan_id: id, plan: content })
  for (const { id, content } of asked) emitEvent(context, { type: 'question', question_id: id, question: content })
  return tellEnd(context, reply.text)
}

/** What a reply contains, with the records that were made of it. */
function proposalsOf(outcome: ReplyOutcome, records: readonly { id: string }[]): AssistantEntry['proposals'] {
  if (outcome.type === 'text') return []
  const { type } = outcome
  const found = outcome.type === 'plan' ? outcome.plans : outcome.questions
  return found.flatMap(({ start, end }, at) => records.slice(at, at + 1).map(({ id }) => ({ type, id, start, end })))
}

/** Records of one moment are sorted by chance; what was asked first is to be answered first. */
function oneAfterAnother(now: Date, at: number): Date {
  return new Date(now.getTime() + at)
}

function each(records: readonly { id: string }[]): string[] {
  return records.map(({ id }) => id)
}

/** Ends a run where its tools left it: waiting for a person, or done because a tool handed over the answer. */
export async function completeRun(context: RunContext, standing: Exclude<CallsOutcome, { goes: 'on' }>): Promise<Run> {
  const ending = standing.goes === 'waiting' ? waitingFor(context, standing.question_id) : completed(context)
  await recordEntries(context, {
    run: ending,
    also: (tx) => (standing.goes === 'completed' ? finishPlan(tx, context.run.item) : Promise.resolve()),
  })
  return tellEnd(context, context.reply?.text ?? '')
}

/** Ends a run that cannot go on, with the reason in its thread. A run that another process has taken over is left alone. */
export async function failRun(play: OpenedRun, error: unknown): Promise<Run> {
  await play.writing
  const { driver } = play.agent
  const found = await runs.get(driver, play.run.item.id)
  if (found.item.holder !== holderId() || (found.version !== play.run.version && found.item.status === 'running')) {
    throw new Problem('busy', `another process took over the run ${found.item.id}: ${found.item.holder ?? 'it has ended'}`, {
      cause: error,
    })
  }
  const stopped = play.signal.aborted || found.item.status === 'stopped'
  const problem = stopped ? new Problem('stopped', 'the run was stopped', { cause: error }) : asProblem(error)
  play.run = await driver.transaction((tx) => cutRun(tx, found, problem, play.agent.now()))
  emitEvent(play, { type: 'error', code: problem.code, message: problem.message, retryable: problem.retryable })
  return tellEnd(play, play.reply?.text ?? '')
}

/** The exit code that tells a script how a run ended. */
export function exitCodeOf({ status, reason }: Pick<Run, 'status' | 'reason'>): number {
  if (status === 'completed') return 0
  if (status === 'waiting') return problems.needs_person.exit
  if (status === 'stopped') return problems.stopped.exit
  return problems[isProblemCode(reason) ? reason : 'internal'].exit
}

/** Tells how a run ended, or that it waits. */
export function tellEnd(play: OpenedRun, text: string): Run {
  const { item } = play.run
  emitEvent(play, { type: 'result', status: item.status, text, exit_code: exitCodeOf(item), turns: item.turns, usage: item.usage })
  return item
}

/** What a run becomes that has done its work. */
export function completed({ run, agent }: RunContext): Partial<Run> {
  return { status: nextState(runFlow, run.item.status, 'complete', 'runtime'), ended_at: agent.now().toISOString(), ...releasedLease }
}

/** What a run becomes that waits for a person. */
export function waitingFor({ run }: RunContext, question_id: string | null): Partial<Run> {
  return { status: nextState(runFlow, run.item.status, 'wait', 'runtime'), question_id, ...releasedLease }
}

/** A plan that was carried out cannot be carried out again by pressing the same button. */
async function finishPlan(tx: Driver, run: Run): Promise<void> {
  if (run.plan_id === null || run.parent_run_id !== null) return // whoever was only given a part of it cannot know that all is done
  const plan = await plans.get(tx, run.plan_id)
  if (plan.item.status !== 'approved') return
  const executed: Plan = { ...plan.item, status: nextState(planFlow, plan.item.status, 'finish', 'runtime') }
  await plans.replace(tx, plan, executed)
}

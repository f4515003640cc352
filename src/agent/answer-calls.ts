import { Usage, type ToolCall, type ToolEntry } from '../domain/entry.ts'
import { readsOnly } from '../domain/permission.ts'
import { PlanContent } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import { QuestionContent } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import { questions } from '../store/run-tables.ts'
import { callTool, recoverCall } from '../tools/gate.ts'
import type { CallResult } from '../tools/tool.ts'
import { answerText } from './answer.ts'
import { startedCall } from './approval-record.ts'
import { delegatedRole } from './delegate.ts'
import { addUsage } from './limits.ts'
import { answerEntry, isOpen, record, tell, type Play } from './play.ts'
import { addPlan, draftPlan, newQuestion } from './proposals.ts'

/** How the calls of a reply left the run: it goes on, it waits for a person, or a tool said that this was the answer. */
export type Standing = { goes: 'on' } | { goes: 'waiting'; question_id: string | null } | { goes: 'completed' }

/** Answers every call of the last reply that has no answer yet, be it new or left behind by a process that was killed. */
export async function answerCalls(play: Play): Promise<Standing> {
  const unanswered = (play.reply?.calls ?? []).filter((call) => isUnanswered(play, call))
  if (unanswered.every((call) => mayRunInParallel(play, call))) {
    await Promise.all(unanswered.map((call) => answerCall(play, call)))
    return standing(play)
  }
  for (const call of unanswered) {
    await answerCall(play, call)
    if (standing(play).goes === 'waiting') break // what follows may rest on the answer
  }
  return standing(play)
}

function isUnanswered(play: Play, call: ToolCall): boolean {
  const answer = play.answers.get(call.id)
  return answer === undefined || isOpen(answer.item)
}

/**
 * A call that only reads, or that has work done by a role that only reads. Under a limit of tokens or cost one agent starts when the
 * one before it has ended: side by side each would be given what is left, and spend it.
 */
function mayRunInParallel(play: Play, call: ToolCall): boolean {
  const tool = play.gate.tools.find((candidate) => candidate.name === call.tool)
  if (tool?.name === 'delegate') return !hasBudget(play.run.item) && readsOnly(play.agent.roles.get(delegatedRole(call))?.permissions ?? [])
  return tool?.read_only === true
}

function hasBudget({ limits }: Run): boolean {
  return limits.max_tokens !== null || limits.max_cost_microusd !== null
}

function standing(play: Play): Standing {
  const answers = [...play.answers.values()].map((answer) => answer.item)
  const waiting = answers.find((answer) => answer.outcome === 'waiting')
  if (waiting) return { goes: 'waiting', question_id: questionIdOf(waiting) }
  return { goes: answers.some((answer) => answer.details.ends === 'completed') ? 'completed' : 'on' }
}

async function answerCall(play: Play, call: ToolCall): Promise<void> {
  if (play.signal.aborted) throw new Problem('stopped', 'the run was stopped')
  const started = performance.now()
  if (!play.answers.has(call.id)) tell(play, { type: 'tool_use', call_id: call.id, tool: call.tool, input: call.input })
  const result = await resultOf(play, call)
  play.output.end(call.id)
  if (result === 'still_waiting') return
  await storeAnswer(play, call, result, Math.round(performance.now() - started))
  tell(play, { type: 'tool_result', call_id: call.id, tool: call.tool, outcome: result.outcome, output: result.output })
  if (!result.ends_turn) return
  throw new Problem('denied', `${play.role.name} keeps making calls that are denied, at last ${call.tool}: ${result.decision.message}`)
}

async function resultOf(play: Play, call: ToolCall): Promise<CallResult | 'still_waiting'> {
  const open = play.answers.get(call.id)?.item
  if (open?.outcome === 'running') return recoverCall(play.gate, startedCall(call, open))
  const questionId = open && questionIdOf(open)
  if (!questionId) return callTool(play.gate, call)
  const { item: question } = await questions.get(play.agent.driver, questionId)
  if (question.status === 'pending') return 'still_waiting'
  if (question.approval !== null || question.run_id !== play.run.item.id) return callTool(play.gate, call)
  return { outcome: 'ok', output: answerText(question), details: { question_id: question.id }, decision: letThrough, ends_turn: false }
}

/** A person's answer passes no gate: the question did when it was asked. */
const letThrough: CallResult['decision'] = { verdict: 'allow', rule: 'default', message: 'a person answered', missing_permissions: [] }

async function storeAnswer(play: Play, call: ToolCall, result: CallResult, took_ms: number): Promise<void> {
  const { agent, run } = play
  const was = play.answers.get(call.id)
  const plan = planIn(play, result)
  const question = questionIn(play, result)
  const details = {
    ...result.details,
    ...(result.ends && { ends: result.ends }),
    ...(plan && { plan_id: plan.id }),
    ...(question && { question_id: question.id }),
  }
  const entry = answerEntry(play, call, { outcome: result.outcome, output: result.output, details, took_ms })
  const also = async (tx: typeof agent.driver) => {
    if (plan) await addPlan(tx, plan, plansBesides(play))
    if (question) await questions.add(tx, question)
  }
  const spent = spentOn(call, result)
  await record(play, {
    ...(was ? { replace: { was, entry } } : { add: entry }),
    ...(spent && { run: { usage: addUsage(run.item.usage, spent) } }),
    ...((plan ?? question) && { also }),
  })
  if (plan) tell(play, { type: 'plan', plan_id: plan.id, plan: plan.content })
  if (question) tell(play, { type: 'question', question_id: question.id, question: question.content })
}

/** What a child has used counts for its parent, once, when it has ended. */
function spentOn(call: ToolCall, { outcome, details }: CallResult): Usage | null {
  return call.tool === 'delegate' && outcome !== 'waiting' && details.usage !== undefined ? Usage.parse(details.usage) : null
}

/** `submit_plan` hands its plan over in its details; what it may hold was checked when its arguments were parsed. */
function planIn(play: Play, { ends, details }: CallResult) {
  if (ends !== 'completed' || details.plan === undefined) return null
  return draftPlan(play.run.item, PlanContent.parse(details.plan), play.agent.now())
}

/** The plans that other calls of the same reply handed in: none of them replaces another. */
function plansBesides(play: Play): string[] {
  return [...play.answers.values()].flatMap(({ item: { details } }) => (typeof details.plan_id === 'string' ? [details.plan_id] : []))
}

/** A question of the gate, which wants leave for the call, or of `ask_user`. */
function questionIn(play: Play, { ends, ask, details }: CallResult) {
  const now = play.agent.now()
  if (ask) return newQuestion(play.run.item, ask.content, ask.approval, now)
  if (ends !== 'waiting' || details.question === undefined) return null
  return newQuestion(play.run.item, QuestionContent.parse(details.question), null, now)
}

function questionIdOf({ details }: ToolEntry): string | null {
  return typeof details.question_id === 'string' ? details.question_id : null
}

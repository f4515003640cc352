import { Usage, type ToolCall, type ToolEntry } from '../domain/entry.ts'
import { readsOnly } from '../domain/permission.ts'
import { PlanContent } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import { AskedNetwork } from '../domain/network/leave.ts'
import { AskedForm, QuestionContent, type Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import { keepAttachments, readAttachment } from '../store/attachments.ts'
import { questions } from '../store/run-tables.ts'
import { callTool, recoverCall } from '../tools/gate.ts'
import { formAnswer } from '../tools/outside/form.ts'
import type { CallResult } from '../tools/tool.ts'
import { askedCommand } from './person/allowed-commands.ts'
import { answerForModel } from './person/answer.ts'
import { networkAnswerText } from './person/network-leave.ts'
import { startedCall } from './person/approval-record.ts'
import { delegatedRole } from './delegate.ts'
import { addUsage } from './limits.ts'
import { answerEntry, isOpen, recordEntries, emitEvent, type RunContext } from './run/context.ts'
import { addPlan, draftPlan, newQuestion } from './person/proposals.ts'

/** How the calls of a reply left the run: it goes on, it waits for a person, or a tool said that this was the answer. */
export type CallsOutcome = { goes: 'on' } | { goes: 'waiting'; question_id: string | null } | { goes: 'completed' }

/** Answers every call of the last reply that has no answer yet, be it new or left behind by a process that was killed. */
export async function answerCalls(context: RunContext): Promise<CallsOutcome> {
  const unanswered = (context.reply?.calls ?? []).filter((call) => isUnanswered(context, call))
  if (unanswered.every((call) => mayRunInParallel(context, call))) {
    await Promise.all(unanswered.map((call) => answerCall(context, call)))
    return standing(context)
  }
  for (const call of unanswered) {
    await answerCall(context, call)
    if (standing(context).goes === 'waiting') break // what follows may rest on the answer
  }
  return standing(context)
}

function isUnanswered(context: RunContext, call: ToolCall): boolean {
  const answer = context.answers.get(call.id)
  return answer === undefined || isOpen(answer.item)
}

/**
 * A call that only reads, or that has work done by a role that only reads. Under a limit of tokens or cost one agent starts when the
 * one before it has ended: side by side each would be given what is left, and spend it.
 */
function mayRunInParallel(context: RunContext, call: ToolCall): boolean {
  const tool = context.gate.tools.find((candidate) => candidate.name === call.tool)
  if (tool?.name === 'delegate')
    return !hasBudget(context.run.item) && readsOnly(context.agent.roles.get(delegatedRole(call))?.permissions ?? [])
  return tool?.read_only === true
}

function hasBudget({ limits }: Run): boolean {
  return limits.max_tokens !== null || limits.max_cost_microusd !== null
}

function standing(context: RunContext): CallsOutcome {
  const answers = [...context.answers.values()].map((answer) => answer.item)
  const waiting = answers.find((answer) => answer.outcome === 'waiting')
  if (waiting) return { goes: 'waiting', question_id: questionIdOf(waiting) }
  return { goes: answers.some((answer) => answer.details.ends === 'completed') ? 'completed' : 'on' }
}

async function answerCall(context: RunContext, call: ToolCall): Promise<void> {
  if (context.signal.aborted) throw new Problem('stopped', 'the run was stopped')
  const started = performance.now()
  if (!context.answers.has(call.id)) emitEvent(context, { type: 'tool_use', call_id: call.id, tool: call.tool, input: call.input })
  const result = await resultOf(context, call)
  context.output.end(call.id)
  if (result === 'still_waiting') return
  await storeAnswer(context, call, result, Math.round(performance.now() - started))
  const { outcome, output, details } = result
  emitEvent(context, { type: 'tool_result', call_id: call.id, tool: call.tool, outcome, output, details })
  if (!result.ends_turn) return
  throw new Problem('denied', `${context.role.name} keeps making calls that are denied, at last ${call.tool}: ${result.decision.message}`)
}

async function resultOf(context: RunContext, call: ToolCall): Promise<CallResult | 'still_waiting'> {
  const open = context.answers.get(call.id)?.item
  if (open?.outcome === 'running') return recoverCall(context.gate, startedCall(call, open))
  const questionId = open && questionIdOf(open)
  if (!questionId) return callTool(context.gate, call)
  const { item: question } = await questions.get(context.agent.driver, questionId)
  if (question.status === 'pending') return 'still_waiting'
  if (question.network !== undefined && open !== undefined) return afterRefusedHosts(open, question)
  if (question.form !== undefined) context.gate.servers?.giveAnswer(call.id, formAnswer(question.form, question))
  if (question.form !== undefined || question.approval !== null || question.run_id !== context.run.item.id)
    return callTool(context.gate, call)
  return { outcome: 'ok', output: answerForModel(question), details: { question_id: question.id }, decision: letThrough, ends_turn: false }
}

/** What the command printed, and what a person said about the hosts it was refused. */
function afterRefusedHosts({ output, details }: ToolEntry, question: Question): CallResult {
  const { question: _, ends: _ended, ...kept } = details
  return { outcome: 'error', output: `${output}\n\n${networkAnswerText(question)}`, details: kept, decision: letThrough, ends_turn: false }
}

/** A person's answer passes no gate: the question did when it was asked. */
const letThrough: CallResult['decision'] = { verdict: 'allow', rule: 'default', message: 'a person answered', missing_permissions: [] }

async function storeAnswer(context: RunContext, call: ToolCall, result: CallResult, took_ms: number): Promise<void> {
  const { agent, run } = context
  const was = context.answers.get(call.id)
  const plan = planIn(context, result)
  const question = await questionIn(context, result)
  const details = {
    ...result.details,
    ...(result.ends && { ends: result.ends }),
    ...(plan && { plan_id: plan.id }),
    ...(question && { question_id: question.id }),
  }
  const { outcome, output, shows = [] } = result
  const attachments = shows.map(readAttachment)
  const entry = answerEntry(context, call, { outcome, output, details, took_ms, ...(shows.length > 0 && { attachments }) })
  const also = async (tx: typeof agent.driver) => {
    if (plan) await addPlan(tx, plan, plansBesides(context))
    if (question) await questions.add(tx, question)
    await keepAttachments(tx, shows)
  }
  const spent = spentOn(call, result)
  await recordEntries(context, {
    ...(was ? { replace: { was, entry } } : { add: entry }),
    ...(spent && { run: { usage: addUsage(run.item.usage, spent) } }),
    also,
  })
  if (plan) emitEvent(context, { type: 'plan', plan_id: plan.id, plan: plan.content })
  if (question) emitEvent(context, { type: 'question', question_id: question.id, question: question.content })
}

/** What a child has used counts for its parent, once, when it has ended. */
function spentOn(call: ToolCall, { outcome, details }: CallResult): Usage | null {
  return call.tool === 'delegate' && outcome !== 'waiting' && details.usage !== undefined ? Usage.parse(details.usage) : null
}

/** `submit_plan` hands its plan over in its details; what it may hold was checked when its arguments were parsed. */
function planIn(context: RunContext, { ends, details }: CallResult) {
  if (ends !== 'completed' || details.plan === undefined) return null
  return draftPlan(context.run.item, PlanContent.parse(details.plan), context.agent.now())
}

/** The plans that other calls of the same reply handed in: none of them replaces another. */
function plansBesides(context: RunContext): string[] {
  return [...context.answers.values()].flatMap(({ item: { details } }) => (typeof details.plan_id === 'string' ? [details.plan_id] : []))
}

/** A question of the gate, which wants leave for the call, or of `ask_user`. */
async function questionIn(context: RunContext, { ends, ask, details }: CallResult) {
  const now = context.agent.now()
  if (ask) {
    const question = newQuestion(context.run.item, ask.content, ask.approval, now)
    return ask.patterns.length === 0
      ? question
      : { ...question, allow: await askedCommand(context.agent.driver, context.run.item, ask.patterns) }
  }
  if (ends !== 'waiting' || details.question === undefined) return null
  const question = newQuestion(context.run.item, QuestionContent.parse(details.question), null, now)
  if (details.form !== undefined) return { ...question, form: AskedForm.parse(details.form) }
  return details.network === undefined ? question : { ...question, network: AskedNetwork.parse(details.network) }
}

function questionIdOf({ details }: ToolEntry): string | null {
  return typeof details.question_id === 'string' ? details.question_id : null
}

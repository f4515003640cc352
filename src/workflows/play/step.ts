import { isAsking } from '../../agent/person/answer.ts'
import { errorNote } from '../../agent/final-text.ts'
import { playRun } from '../../agent/loop.ts'
import { resumeRun } from '../../agent/run/resume.ts'
import { startRun } from '../../agent/run/start.ts'
import { isFinal } from '../../domain/flow.ts'
import { maskRoles } from '../../domain/text/mask-role.ts'
import { isProblemCode, Problem } from '../../domain/problem.ts'
import type { Question } from '../../domain/question.ts'
import { runFlow, type Run, type Limits } from '../../domain/run.ts'
import { typedValue } from '../../domain/text/unknown-value.ts'
import type { WorkflowPlay, WorkflowPlayStep } from '../../domain/workflow/play.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { questions, runs, workflowPlays, workflowPlaySteps } from '../../store/tables.ts'
import { advanceRun } from '../advance.ts'
import { askConfirmation, askForHelp, CONFIRM_ANSWER, STOP_ANSWER } from './question.ts'
import type { PlayContext } from './context.ts'
import { agentOn, type StepAssignment } from './assignment.ts'
import { handedIn } from './tool.ts'
import { readHandle } from '../handle.ts'
import { usageOfThread } from '../../agent/limits.ts'
import { dollars } from '../../domain/text/format.ts'

/** A play in the hands of this process. */
export interface Session {
  /** With what holds in the folder of the play as its step begins. */
  context: PlayContext
  readonly signal: AbortSignal
  play: Stored<WorkflowPlay>
  /** Up to when its work is in the record. */
  since: number
}

/** Where a piece of work left the play. */
export type StepOutcome = 'on' | 'waiting' | 'stopped' | 'completed'

/** An output is refused this often before a person is asked what to do. */
const ATTEMPTS = 3

/** Carries a task on from whatever the store says of it: a question that was answered, a run that was cut off, an output to hand in. */
export async function playStep(session: Session, task: StepAssignment): Promise<StepOutcome> {
  const { driver } = session.context.agent
  const was = (await workflowPlaySteps.find(driver, task.id)) ?? (await begin(session, task))
  const asked = was.item.question_id === null ? null : (await questions.get(driver, was.item.question_id)).item
  if (asked?.status === 'pending') return 'waiting'
  if (asked?.status === 'answered') return takeAnswer(session, task, was, asked)
  const last = was.item.runs.at(-1)
  if (last === undefined) return ask(session, task, was, task.prompt)
  const { item: run } = await runs.get(driver, last)
  if (run.status === 'completed') return handIn(session, task, was, run)
  if (isFinal(runFlow, run.status)) return ask(session, task, was, 'Continue where you stopped.')
  // A process that was killed may have stored the agent's question and not that the play waits for it.
  if (await isAsking(driver, run)) return 'waiting'
  const { max_turns } = session.play.item.limits
  return perform(session, task, await resumeRun(agentOn(session.context.agent, session.play.item, task), run.id, { max_turns }))
}

async function begin({ context, play }: Session, task: StepAssignment): Promise<Stored<WorkflowPlayStep>> {
  const { agent_role, authority, capped, title, progress } = task
  context.onNews({ run: play.item.id, title, type: 'begins', progress, agent_role, capped })
  return workflowPlaySteps.add(context.agent.driver, {
    id: task.id,
    run_id: play.item.id,
    number: readHandle(task.handle).position,
    agent_role,
    permissions: authority.permissions,
    capped,
    runs: [],
    attempts: 0,
    refusals: [],
    waits_for: null,
    question_id: null,
    started_at: context.agent.now().toISOString(),
  })
}

/** Has the agent work on the task, in the thread of the whole workflow. The run is noted in the step by the same write that starts it. */
async function ask(
  session: Session,
  task: StepAssignment,
  was: Stored<WorkflowPlayStep>,
  prompt: string,
  change: Partial<WorkflowPlayStep> = {},
): Promise<StepOutcome> {
  const { context, play } = session
  const { driver } = context.agent
  const agent = agentOn(context.agent, play.item, task)
  const run = await startRun(agent, {
    agent_role: task.agent_role,
    authority: task.authority,
    model: context.modelFor(task.agent_role, play.item.model),
    workspace: play.item.workspace,
    prompt,
    thread_id: play.item.id,
    limits: await limitsLeft(driver, play.item),
    also: async (tx, started) => {
      await refuseChanged(tx, play)
      const { item } = was
      await workflowPlaySteps.replace(tx, was, { ...item, ...unasked, ...change, runs: [...item.runs, started.id] })
    },
  })
  return perform(session, task, run)
}

const unasked = { waits_for: null, question_id: null }

/** A play that was stopped a moment ago must not start another run. */
async function refuseChanged(tx: Driver, play: Stored<WorkflowPlay>): Promise<void> {
  const { version } = await workflowPlays.get(tx, play.item.id)
  if (version !== play.version) throw new Problem('stopped', `the workflow run ${play.item.id} was stopped or taken over`)
}

async function perform({ context, play, signal }: Session, task: StepAssignment, held: Stored<Run>): Promise<StepOutcome> {
  const run = await playRun(agentOn(context.agent, play.item, task), held, signal)
  if (run.status === 'completed') return 'on'
  if (run.status !== 'waiting') throw await whyEnded(context.agent.driver, run, task)
  const question = run.question_id === null ? null : (await questions.get(context.agent.driver, run.question_id)).item
  context.onNews({ run: play.item.id, title: task.title, type: 'waits', question: question?.content.question ?? '' })
  return 'waiting'
}

/** A provider may quote what it was sent: people read its error without the role. */
async function whyEnded(driver: Driver, run: Run, { hidden }: StepAssignment): Promise<Problem> {
  const note = await errorNote(driver, run)
  const told = maskRoles(note?.text ?? `the run ${run.id} ended ${run.status}`, hidden)
  return new Problem(isProblemCode(run.reason) ? run.reason : 'internal', told)
}

/** Hands in what a run came to. It may be refused by the step's criteria, or wait for a person's leave. */
async function handIn(session: Session, task: StepAssignment, was: Stored<WorkflowPlayStep>, run: Run): Promise<StepOutcome> {
  const { driver, now } = session.context.agent
  const { output, context } = await handedIn(driver, run)
  const call = { run: task.handle, context, ...(task.missing.length === 0 && { output }) }
  const answer = await advanceRun(driver, call, now()).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'too_large')
      return { status: 'invalid' as const, issues: [error.message], recorded: false }
    throw error
  })
  if (answer.status === 'invalid' || (task.missing.length > 0 && answer.status === 'blocked'))
    return refuse(session, task, was, answer.issues)
  if (answer.status === 'confirmation_required') return askConfirmation(session, task, was, maskRoles(output, task.hidden))
  if (answer.recorded || task.missing.length > 0)
    session.context.onNews({ run: session.play.item.id, title: task.title, type: 'done', output: maskRoles(output, task.hidden) })
  return 'on'
}

/** Sends the messages back to the agent, and after some attempts to a person. */
async function refuse(session: Session, task: StepAssignment, was: Stored<WorkflowPlayStep>, issues: string[]): Promise<StepOutcome> {
  const { context, play } = session
  const attempts = was.item.attempts + 1
  const refusals = [...was.item.refusals, { issues, at: context.agent.now().toISOString() }]
  context.onNews({ run: play.item.id, title: task.title, type: 'refused', issues })
  if (attempts >= ATTEMPTS) return askForHelp(session, task, was, issues, { attempts, refusals })
  const told = ['The step was not accepted:', ...issues.map((issue) => `- ${issue}`), 'Correct it and hand it in again.'].join('\n')
  return ask(session, task, was, told, { attempts, refusals })
}

/** Does what a person decided. Their words go back to the agent; only "confirm" confirms. */
async function takeAnswer(
  session: Session,
  task: StepAssignment,
  was: Stored<WorkflowPlayStep>,
  { answer }: Question,
): Promise<StepOutcome> {
  const { driver, now } = session.context.agent
  const { value = '', text = '', by = 'user' } = answer ?? {}
  const { waits_for } = was.item
  if (value === STOP_ANSWER) {
    await workflowPlaySteps.replace(driver, was, { ...was.item, ...unasked })
    return 'stopped'
  }
  if (waits_for === 'confirmation' && value === CONFIRM_ANSWER) {
    const { item: run } = await runs.get(driver, was.item.runs.at(-1) ?? '')
    const { output, context } = await handedIn(driver, run)
    await advanceRun(driver, { run: task.handle, output, context, confirmed_by: by }, now())
    session.context.onNews({ run: session.play.item.id, title: task.title, type: 'done', output: maskRoles(output, task.hidden) })
    return 'on'
  }
  if (waits_for === 'variable' && value === '') {
    await advanceRun(driver, { run: task.handle, context: { [task.missing[0] ?? '']: typedValue(text) } }, now())
    await workflowPlaySteps.replace(driver, was, { ...was.item, ...unasked })
    return 'on'
  }
  const said = text.trim() === '' ? 'The user wants you to try again.' : `The user says: ${text}`
  return ask(session, task, was, said, { attempts: 0 })
}

/** What the next run may spend, or a refusal where nothing is left: tokens, money and time are counted over the whole workflow, turns for each step. */
async function limitsLeft(driver: Driver, { id, limits, worked_ms }: WorkflowPlay): Promise<Limits> {
  const { max_tokens, max_cost_microusd, max_wall_ms } = limits
  if (max_tokens === null && max_cost_microusd === null && max_wall_ms === null) return limits
  const { input_tokens, output_tokens, cost_microusd: cost } = await usageOfThread(driver, id)
  const tokens = input_tokens + output_tokens
  if (max_tokens !== null && tokens >= max_tokens)
    throw new Problem('budget', `the workflow used ${tokens} of ${max_tokens} tokens; the next call is refused`)
  if (max_cost_microusd !== null && cost === null)
    throw new Problem('budget', 'a step of the workflow had no price, so its cost limit cannot be kept; limit its turns instead')
  if (max_cost_microusd !== null && cost !== null && cost >= max_cost_microusd)
    throw new Problem('budget', `the workflow spent ${dollars(cost)} of ${dollars(max_cost_microusd)}; the next call is refused`)
  if (max_wall_ms !== null && worked_ms >= max_wall_ms)
    throw new Problem('budget', `the workflow was worked on for ${worked_ms} of ${max_wall_ms} ms; the next call is refused`)
  return {
    ...limits,
    max_tokens: max_tokens === null ? null : max_tokens - tokens,
    max_cost_microusd: max_cost_microusd === null ? null : max_cost_microusd - (cost ?? 0),
    max_wall_ms: max_wall_ms === null ? null : max_wall_ms - worked_ms,
  }
}

import type { Agent } from '../agent/agent.ts'
import { finalText } from '../agent/final-text.ts'
import { playRun } from '../agent/loop.ts'
import { resumeRun } from '../agent/resume.ts'
import { startRun as startAgentRun } from '../agent/start.ts'
import { newId } from '../domain/id.ts'
import { Problem } from '../domain/problem.ts'
import type { QuestionContent } from '../domain/question.ts'
import type { Limits, Run } from '../domain/run.ts'
import type { WorkflowPlay, WorkflowRun } from '../domain/workflow-run.ts'
import type { UserView } from '../domain/workflow-view.ts'
import type { Driver } from '../store/driver.ts'
import { questions, runs, workflowRuns } from '../store/tables.ts'
import { advanceRun } from './advance.ts'
import { readHandle, type RunAnswer, writeHandle } from './handle.ts'
import { confirmQuestion, contextIn, stepInstructions, stepRequest } from './step-prompt.ts'

/** What playing a workflow needs: the agent, the model of each role, and who is told of the steps. */
export interface PlayStage {
  agent: Agent
  modelOf: (agentRole: string) => string
  limits: Limits
  onStep: (step: UserView) => void
}

/** How far a play came. `waiting` has a question for a person; `stuck` says why nobody but a person can go on. */
export type PlayEnd =
  | { status: 'completed'; run: string }
  | { status: 'waiting'; run: string; question_id: string }
  | { status: 'stuck'; run: string; reason: string }

/** Outputs of one step that are sent back before the play gives up. */
const SENT_BACK_AT_MOST = 3

/** Carries out a run from where it is: each step by an agent in the step's role, until it ends or a person is needed. */
export async function playWorkflow(stage: PlayStage, runId: string, signal: AbortSignal): Promise<PlayEnd> {
  const { driver } = stage.agent
  for (;;) {
    const { run, play } = await current(driver, runId)
    const answer = await advanceRun(driver, { run }, stage.agent.now())
    if (answer.status === 'complete') return { status: 'completed', run }
    if (play.sent_back >= SENT_BACK_AT_MOST) return { status: 'stuck', run, reason: `${answer.user?.title ?? 'The run'}: ${play.feedback}` }
    const asked = play.question_id === null ? null : await afterQuestion(stage, runId, run, play.question_id)
    if (asked === 'pending') return { status: 'waiting', run, question_id: play.question_id ?? '' }
    if (asked === 'answered') continue
    const ended = await carryOut(stage, runId, answer, play, signal)
    if (ended.status === 'waiting') return { status: 'waiting', run, question_id: ended.question_id ?? '' }
    if (ended.status !== 'completed') {
      await change(driver, runId, { agent_run_id: null })
      return { status: 'stuck', run, reason: ended.reason ?? `the agent's run ${ended.status}` }
    }
    await handIn(stage, runId, answer, ended)
  }
}

/** The agent's run for the open step: the one that was interrupted, or a new one. */
async function carryOut(stage: PlayStage, runId: string, answer: RunAnswer, play: WorkflowPlay, signal: AbortSignal): Promise<Run> {
  const agent = { ...stage.agent, sections: { ...stage.agent.sections, step: stepInstructions(answer) } }
  if (play.agent_run_id !== null) {
    const before = (await runs.get(agent.driver, play.agent_run_id)).item
    if (before.status === 'completed') return before
    return playRun(agent, await resumeRun(agent, before.id), signal)
  }
  if (answer.user !== null) stage.onStep(answer.user)
  const agent_role = agent.roles.need(answer.agent?.step.role ?? play.agent_role).id
  const started = await startAgentRun(agent, {
    agent_role,
    model: stage.modelOf(agent_role),
    workspace: play.workspace,
    thread_id: play.thread_id,
    prompt: stepRequest(answer, play.feedback),
    limits: stage.limits,
    also: async (tx, { id }) => change(tx, runId, { agent_run_id: id }),
  })
  return playRun(agent, started, signal)
}

/** Hands in what the agent said, and remembers what became of it. */
async function handIn(stage: PlayStage, runId: string, open: RunAnswer, ended: Run): Promise<void> {
  const { driver, now } = stage.agent
  const output = await finalText(driver, ended)
  const context = contextIn(output)
  const answer = await advanceRun(driver, { run: open.run, context, ...(open.status === 'step' && { output }) }, now())
  const { play } = await current(driver, runId)
  const again = { agent_run_id: null, sent_back: play.sent_back + 1 }
  if (answer.status === 'invalid') return change(driver, runId, { ...again, feedback: answer.issues.join(' ') })
  if (answer.status === 'blocked' && open.status === 'blocked')
    return change(driver, runId, { ...again, feedback: answer.issues.join(' ') })
  if (answer.status !== 'confirmation_required') return change(driver, runId, { agent_run_id: null, sent_back: 0, feedback: '' })
  if (answer.user !== null) await ask(stage, runId, ended, confirmQuestion(answer.user, output))
}

/** Puts the card into the store together with the fact that the run waits for it. */
async function ask(stage: PlayStage, runId: string, ended: Run, content: QuestionContent): Promise<void> {
  const { driver, now } = stage.agent
  const { thread_id, id: run_id, agent_role: role } = ended
  const question_id = newId('question', now())
  const created_at = now().toISOString()
  await driver.transaction(async (tx) => {
    await questions.add(tx, {
      id: question_id,
      thread_id,
      run_id,
      role,
      status: 'pending',
      content,
      approval: null,
      answer: null,
      created_at,
    })
    await change(tx, runId, { question_id })
  })
}

/** A person's answer to the card: the step counts as done, or is carried out again with what they said. */
async function afterQuestion(stage: PlayStage, runId: string, run: string, questionId: string): Promise<'pending' | 'answered'> {
  const { driver, now } = stage.agent
  const { status, answer } = (await questions.get(driver, questionId)).item
  if (status === 'pending') return 'pending'
  const { confirmation } = (await workflowRuns.get(driver, runId)).item
  if (answer?.value === 'confirm' && confirmation !== null) {
    await advanceRun(driver, { run, output: confirmation.output, confirmed_by: answer.by }, now())
    return 'answered'
  }
  const feedback = `the user did not confirm it. ${answer?.text ?? ''}`.trim()
  await change(driver, runId, { agent_run_id: null, question_id: null, feedback })
  return 'answered'
}

async function current(driver: Driver, runId: string): Promise<{ run: string; play: WorkflowPlay }> {
  const { item } = await workflowRuns.get(driver, runId)
  const play = playAt(item)
  if (play !== null) return { run: writeHandle({ run: item.id, position: item.position }), play }
  throw new Problem(
    'bad_input',
    `the run ${runId} is carried out by an MCP client; troupe workflow run plays the runs it has started itself`,
  )
}

async function change(driver: Driver, runId: string, fields: Partial<WorkflowPlay>): Promise<void> {
  const was = await workflowRuns.get(driver, runId)
  const play = playAt(was.item)
  if (play !== null) await workflowRuns.replace(driver, was, { ...was.item, play: { ...play, ...fields } })
}

/** A process may be killed after an output was taken and before that was noted: what belongs to an earlier position no longer counts. */
function playAt({ play, position }: WorkflowRun): WorkflowPlay | null {
  if (play === null || play.position === position) return play
  return { ...play, position, agent_run_id: null, question_id: null, sent_back: 0, feedback: '' }
}

/** The id of a run, from its id or any of its handles. */
export function runIdOf(text: string): string {
  return text.includes('.') ? readHandle(text).run : text
}

import { cancelQuestions } from '../../agent/person/answer.ts'
import { runInBackground } from '../../agent/run/background.ts'
import { leaseFields, refuseLeased, releasedLease } from '../../agent/run/lease.ts'
import { contextIn } from '../../agent/folder-context.ts'
import { nextState } from '../../domain/flow.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Limits } from '../../domain/run.ts'
import { type WorkflowPlay, workflowPlayFlow } from '../../domain/workflow/play.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays, workflowRuns } from '../../store/tables.ts'
import { advanceRun } from '../advance.ts'
import { type RunAnswer, writeHandle } from '../handle.ts'
import { waitingQuestion } from './question.ts'
import type { PlayContext } from './context.ts'
import { type Session, type StepOutcome, playStep } from './step.ts'
import { assignmentFor } from './assignment.ts'

/** Plays a workflow run from where it is to its end, or to where a person is needed. A step that was done is never done again. */
export async function playWorkflow(
  context: PlayContext,
  runId: string,
  signal: AbortSignal,
  limits: Partial<Limits> = {},
): Promise<WorkflowPlay> {
  const session: Session = { context, signal, play: await takeUp(context, runId, limits), since: context.agent.now().getTime() }
  try {
    for (;;) {
      const standing = await playNext(session)
      if (standing !== 'on') return await settle(session, standing)
    }
  } catch (error) {
    return await endBadly(session, error)
  }
}

/** Plays in the background. How it ended is in the record, so nobody has to wait for it. */
export function playWorkflowInBackground(context: PlayContext, runId: string): void {
  runInBackground(context.playing, runId, 'workflow run', (signal) => playWorkflow(context, runId, signal))
}

/** The context with what holds in the folder of a play; refused where its files have a fault. */
export async function playContextOf(context: PlayContext, runId: string): Promise<PlayContext> {
  const { item } = await workflowPlays.get(context.agent.driver, runId)
  return contextIn(context, item.workspace)
}

/** Refuses a play that is over, that a living process is at, or that waits for an answer. */
export async function refusePlayTaken(driver: Driver, play: WorkflowPlay): Promise<void> {
  nextState(workflowPlayFlow, play.status, 'resume', 'user', { run: play.id })
  await refuseLeased(driver, { ...play, thread_id: play.id })
  for (const run of await runs.items(driver, { where: { thread_id: play.id, status: 'running' } })) await refuseLeased(driver, run)
  const question = play.status === 'waiting' ? await waitingQuestion(driver, play.id) : null
  if (question?.status !== 'pending') return
  throw new Problem('needs_person', `the run ${play.id} waits for an answer: ${question.content.question}`, { details: { question } })
}

function takeUp({ agent }: PlayContext, runId: string, limits: Partial<Limits>): Promise<Stored<WorkflowPlay>> {
  return agent.driver.transaction(async (tx) => {
    const was = await workflowPlays.get(tx, runId)
    await refusePlayTaken(tx, was.item)
    const status = nextState(workflowPlayFlow, was.item.status, 'resume', 'user', { run: runId })
    const held = await leaseFields(tx)
    return workflowPlays.replace(tx, was, {
      ...was.item,
      ...held,
      status,
      reason: null,
      message: null,
      limits: { ...was.item.limits, ...limits },
    })
  })
}

/** One piece of work. Writing the lease first also finds out whether someone has stopped the play meanwhile. */
async function playNext(session: Session): Promise<StepOutcome> {
  session.context = await contextIn(session.context, session.play.item.workspace)
  const { agent } = session.context
  if (session.signal.aborted) throw new Problem('stopped', 'the workflow was stopped')
  const lease = await leaseFields(agent.driver)
  session.play = await workflowPlays.replace(agent.driver, session.play, { ...session.play.item, ...lease, ...worked(session) })
  const { answer, context } = await openAnswer(agent.driver, session.play.item.id, agent.now())
  if (answer.status === 'complete') return 'completed'
  return playStep(session, assignmentFor(agent.roles, session.play.item, answer, context))
}

async function openAnswer(driver: Driver, id: string, now: Date): Promise<{ answer: RunAnswer; context: Record<string, unknown> }> {
  const { item } = await workflowRuns.get(driver, id)
  const answer = await advanceRun(driver, { run: writeHandle(item) }, now)
  return { answer, context: item.context }
}

const moves = { waiting: 'wait', stopped: 'stop', completed: 'complete' } as const

async function settle(session: Session, standing: Exclude<StepOutcome, 'on'>): Promise<WorkflowPlay> {
  const { driver } = session.context.agent
  const { item } = session.play
  const status = nextState(workflowPlayFlow, item.status, moves[standing], 'runtime')
  return driver.transaction(async (tx) => {
    if (standing !== 'waiting') await cancelQuestions(tx, item.id)
    return (await workflowPlays.replace(tx, session.play, { ...item, ...releasedLease, ...worked(session), status })).item
  })
}

/** The time since it was last written down, added to the record. */
function worked(session: Session): { worked_ms: number } {
  const now = session.context.agent.now().getTime()
  const worked_ms = session.play.item.worked_ms + Math.max(0, now - session.since)
  session.since = now
  return { worked_ms }
}

/** Stores why a play cannot go on. One that was stopped, or taken over, meanwhile is left as the other has it. */
async function endBadly(session: Session, error: unknown): Promise<WorkflowPlay> {
  const { driver } = session.context.agent
  const { item } = session.play
  const problem = session.signal.aborted ? new Problem('stopped', 'the workflow was stopped', { cause: error }) : asProblem(error)
  const status = nextState(workflowPlayFlow, item.status, problem.code === 'stopped' ? 'stop' : 'fail', 'runtime')
  const ended = { ...item, ...releasedLease, ...worked(session), status, reason: problem.code, message: problem.message }
  const stored = await workflowPlays.replace(driver, session.play, ended).catch((conflict: unknown) => {
    if (conflict instanceof Problem && conflict.code === 'conflict') return workflowPlays.get(driver, item.id)
    throw conflict
  })
  return stored.item
}

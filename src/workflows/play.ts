import { cancelQuestions } from '../agent/answer.ts'
import { playApart } from '../agent/background.ts'
import { leaseFields, refuseHeld, released } from '../agent/hold.ts'
import { standingIn } from '../agent/place.ts'
import { next } from '../domain/flow.ts'
import { asProblem, Problem } from '../domain/problem.ts'
import type { Limits } from '../domain/run.ts'
import { type WorkflowPlay, workflowPlayFlow } from '../domain/workflow-play.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { runs, workflowPlays, workflowRuns } from '../store/tables.ts'
import { advanceRun } from './advance.ts'
import { type RunAnswer, writeHandle } from './handle.ts'
import { waitingQuestion } from './play-question.ts'
import type { PlayStage } from './play-stage.ts'
import { type Session, type Standing, workOn } from './play-step.ts'
import { taskFor } from './play-task.ts'

/** Plays a workflow run from where it is to its end, or to where a person is needed. A step that was done is never done again. */
export async function playWorkflow(
  stage: PlayStage,
  runId: string,
  signal: AbortSignal,
  limits: Partial<Limits> = {},
): Promise<WorkflowPlay> {
  const session: Session = { stage, signal, play: await takeUp(stage, runId, limits), since: stage.agent.now().getTime() }
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
export function playInBackground(stage: PlayStage, runId: string): void {
  playApart(stage.playing, runId, 'workflow run', (signal) => playWorkflow(stage, runId, signal))
}

/** The stage with what holds in the folder of a play; refused where its files have a fault. */
export async function stageOf(stage: PlayStage, runId: string): Promise<PlayStage> {
  const { item } = await workflowPlays.get(stage.agent.driver, runId)
  return standingIn(stage, item.workspace)
}

/** Refuses a play that is over, that a living process is at, or that waits for an answer. */
export async function refuseTaken(driver: Driver, play: WorkflowPlay): Promise<void> {
  next(workflowPlayFlow, play.status, 'resume', 'user')
  await refuseHeld(driver, { ...play, thread_id: play.id })
  for (const run of await runs.items(driver, { where: { thread_id: play.id, status: 'running' } })) await refuseHeld(driver, run)
  const question = play.status === 'waiting' ? await waitingQuestion(driver, play.id) : null
  if (question?.status !== 'pending') return
  throw new Problem('needs_person', `the run ${play.id} waits for an answer: ${question.content.question}`, { details: { question } })
}

function takeUp({ agent }: PlayStage, runId: string, limits: Partial<Limits>): Promise<Stored<WorkflowPlay>> {
  return agent.driver.transaction(async (tx) => {
    const was = await workflowPlays.get(tx, runId)
    await refuseTaken(tx, was.item)
    const status = next(workflowPlayFlow, was.item.status, 'resume', 'user')
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
async function playNext(session: Session): Promise<Standing> {
  session.stage = await standingIn(session.stage, session.play.item.workspace)
  const { agent } = session.stage
  if (session.signal.aborted) throw new Problem('stopped', 'the workflow was stopped')
  const lease = await leaseFields(agent.driver)
  session.play = await workflowPlays.replace(agent.driver, session.play, { ...session.play.item, ...lease, ...worked(session) })
  const { answer, context } = await openAnswer(agent.driver, session.play.item.id, agent.now())
  if (answer.status === 'complete') return 'completed'
  return workOn(session, taskFor(agent.roles, session.play.item, answer, context))
}

async function openAnswer(driver: Driver, id: string, now: Date): Promise<{ answer: RunAnswer; context: Record<string, unknown> }> {
  const { item } = await workflowRuns.get(driver, id)
  const answer = await advanceRun(driver, { run: writeHandle(item) }, now)
  return { answer, context: item.context }
}

const moves = { waiting: 'wait', stopped: 'stop', completed: 'complete' } as const

async function settle(session: Session, standing: Exclude<Standing, 'on'>): Promise<WorkflowPlay> {
  const { driver } = session.stage.agent
  const { item } = session.play
  const status = next(workflowPlayFlow, item.status, moves[standing], 'runtime')
  return driver.transaction(async (tx) => {
    if (standing !== 'waiting') await cancelQuestions(tx, item.id)
    return (await workflowPlays.replace(tx, session.play, { ...item, ...released, ...worked(session), status })).item
  })
}

/** The time since it was last written down, added to the record. */
function worked(session: Session): { worked_ms: number } {
  const now = session.stage.agent.now().getTime()
  const worked_ms = session.play.item.worked_ms + Math.max(0, now - session.since)
  session.since = now
  return { worked_ms }
}

/** Stores why a play cannot go on. One that was stopped, or taken over, meanwhile is left as the other has it. */
async function endBadly(session: Session, error: unknown): Promise<WorkflowPlay> {
  const { driver } = session.stage.agent
  const { item } = session.play
  const problem = session.signal.aborted ? new Problem('stopped', 'the workflow was stopped', { cause: error }) : asProblem(error)
  const status = next(workflowPlayFlow, item.status, problem.code === 'stopped' ? 'stop' : 'fail', 'runtime')
  const ended = { ...item, ...released, ...worked(session), status, reason: problem.code, message: problem.message }
  const stored = await workflowPlays.replace(driver, session.play, ended).catch((conflict: unknown) => {
    if (conflict instanceof Problem && conflict.code === 'conflict') return workflowPlays.get(driver, item.id)
    throw conflict
  })
  return stored.item
}

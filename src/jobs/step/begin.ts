import type { AgentContext } from '../../agent/agent.ts'
import { startRun } from '../../agent/run/start.ts'
import { newId } from '../../domain/id.ts'
import { moveJob, stopFor } from '../../domain/job/decide.ts'
import { bySeat, seatFor, type JobSeat } from '../../domain/job/flow.ts'
import type { InteractionRequest } from '../../domain/job/history.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import { maskedRecord } from '../../domain/text/mask.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { jobs } from '../../store/tables.ts'
import { holderFields } from './heartbeat.ts'
import { reachedJobLimit, runLimits } from './limits.ts'
import { composeStep, sectionsOf } from './prompt.ts'
import { saveMoved } from './save.ts'
import { jobAgent, type JobContext } from '../context.ts'
import { repairOrder } from './task-text.ts'
import { ignoredEntries } from '../../worktrees/ignored.ts'
import { readyWorkspace } from '../workspace.ts'

/** A step whose agent may start now: stored as such, with who holds it. */
export interface Begun {
  job: Job
  run: Stored<Run>
  agent: AgentContext
}

/** Begins a step with an agent. The state, the process and the whole request are stored in the same transaction as the run, before anyone is asked. */
export async function beginStep(context: JobContext, was: Stored<Job>): Promise<Begun> {
  const { job, seat, head, ignored_before } = await readyJob(was)
  const { sections, order, model, request } = await composeStep(context, job, seat, head)
  const agent = jobAgent(context, job, seat, sections)
  let begun = job
  const run = await startRun(agent, {
    agent_role: job.roles[seat].role,
    model,
    workspace: job.workspace,
    prompt: order,
    thread_id: newId(`job_${job.id}`, context.agent.now()),
    limits: runLimits(job, context.limits),
    also: async (tx, started) => {
      begun = await markBegun(context, tx, was, { job, seat, head, ignored_before, request, run_id: started.id })
    },
  })
  return { job: begun, run, agent }
}

/** Begins a step whose answer a person gives. */
export async function beginByHand(context: JobContext, was: Stored<Job>): Promise<Job> {
  const { job, seat, head, ignored_before } = await readyJob(was)
  const { request } = await composeStep(context, job, seat, head)
  return context.agent.driver.transaction((tx) => markBegun(context, tx, was, { job, seat, head, ignored_before, request, run_id: null }))
}

/** Asks once more for the exit command, in the same thread. */
export async function beginRepair(context: JobContext, was: Stored<Job>, run: Run, error: string): Promise<Begun> {
  const { active } = was.item
  if (active === null) throw new Problem('internal', `${was.item.id} is not at work, so there is nothing to repair`)
  const order = repairOrder(error)
  const agent = jobAgent(context, was.item, active.seat, await sectionsOf(was.item))
  let begun = was.item
  const repair = await startRun(agent, {
    agent_role: run.agent_role,
    model: run.model,
    workspace: run.workspace,
    prompt: order,
    thread_id: run.thread_id,
    limits: runLimits(was.item, context.limits),
    also: async (tx, started) => {
      const request = { ...active.request, prompt: order }
      const again = { ...active, ...newExchange(context, request), run_id: started.id, repairing: true, state_before: was.item.status }
      begun = (await jobs.replace(tx, was, { ...was.item, active: again })).item
    },
  })
  return { job: begun, run: repair, agent }
}

/** Stops a job at a limit instead of beginning a step; null when none is reached. */
export async function haltJobAtLimit(driver: Driver, was: Stored<Job>, now: Date): Promise<Job | null> {
  const limit = reachedJobLimit(was.item)
  if (limit === null) return null
  const stopped = stopFor(was.item, 'halt', 'runtime', limit.reason, limit.text)
  return (await driver.transaction((tx) => saveMoved(tx, was, stopped, now))).item
}

async function readyJob({ item: job }: Stored<Job>): Promise<Omit<Beginning, 'request' | 'run_id'>> {
  const seat = seatFor(job.status)
  if (seat === null) throw notRunnable(job)
  moveJob(job, bySeat[seat].begins, seat) // refused by the table before anything is touched
  const head = await readyWorkspace(job)
  const ignored_before = seat === 'worker' ? await ignoredEntries(job.workspace) : null
  return { job: { ...job, head_commit: head, phase_commit: job.phase_commit ?? head }, seat, head, ignored_before }
}

interface Beginning {
  job: Job
  seat: JobSeat
  head: string
  ignored_before: string[] | null
  request: InteractionRequest
  run_id: string | null
}

async function markBegun(context: JobContext, tx: Driver, was: Stored<Job>, beginning: Beginning): Promise<Job> {
  const { job, seat, head, ignored_before, request, run_id } = beginning
  const moved = moveJob(job, bySeat[seat].begins, seat, run_id === null ? 'the Steward gives the answer by hand' : '')
  const active: JobActive = {
    ...newExchange(context, request),
    seat,
    run_id,
    repairing: false,
    commit_before: head,
    ignored_before,
    state_before: job.status,
    attempt: job.retries + job.failures + 1,
  }
  const begun = { ...moved.job, active, iterations: job.iterations + 1, not_before: null }
  return (await saveMoved(tx, was, { job: begun, moves: moved.moves }, context.agent.now())).item
}

/** What is another with every exchange. */
function newExchange({ agent }: JobContext, request: InteractionRequest) {
  const now = agent.now()
  const masked = maskedRecord(request, agent.secrets ?? [])
  return { ...holderFields(now), started_at: now.toISOString(), exchange_id: newId('exchange', now), request: masked }
}

/** Why nobody can work on a job now, and what its Steward can do about it. */
export function notRunnable({ id, status, reason_text }: Job): Problem {
  const ways: Partial<Record<Job['status'], [text: string, ...operations: string[]]>> = {
    DRAFT: ['activate it first', 'job.activate'],
    APPROVAL_REQUIRED: ['it waits for your approval', 'job.approve', 'job.reject'],
    INTERVENTION_REQUIRED: [`it is stopped and waits for you: ${reason_text}`, 'job.resubmit', 'job.cancel'],
    SUSPENDED: ['resume it to continue', 'job.resume'],
  }
  const [text, ...operations] = ways[status] ?? ['it is over']
  const code = status === 'DRAFT' || operations.length === 0 ? 'move_refused' : 'needs_person'
  const next = operations.map((operation) => ({ operation, input: { job: id, ...(operation === 'job.reject' && { reason: 'REASON' }) } }))
  return new Problem(code, `the job ${id} is ${status}; ${text}`, { details: { job_id: id, status }, next })
}

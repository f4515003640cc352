import { existsSync } from 'node:fs'
import { movesFrom } from '../../domain/flow.ts'
import { jobFlow, needsSteward, seatFor, type JobMoveName } from '../../domain/job/flow.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import { jobTitle, phaseOf, type Job } from '../../domain/job/job.ts'
import type { Driver } from '../../store/driver.ts'
import { log } from '../../store/log.ts'
import { jobInteractions, jobs } from '../../store/tables.ts'
import { queueOf } from '../queue.ts'
import { isWorkedOn } from '../step/step.ts'

/** A job in a list: enough to see where it stands and whether it needs a person. */
export type JobListing = ReturnType<typeof summaryOf>

/** Every job in short, the queue first, in its order. Nothing is changed by looking. */
export async function listJobs(driver: Driver): Promise<JobListing[]> {
  const all = await jobs.items(driver, { order: ['rank'] })
  const queue = all.filter(({ status }) => seatFor(status) !== null).map(({ id }) => id)
  const places = new Map(queue.map((id, at) => [id, at]))
  const found = all.map((job) => summaryOf(job, places.get(job.id) ?? null))
  return [...found.filter(({ queue: at }) => at !== null), ...found.filter(({ queue: at }) => at === null)]
}

/** Where one job stands and what its Steward can do. */
export async function jobStatus(driver: Driver, jobId: string) {
  const { item: job } = await jobs.get(driver, jobId)
  const place = (await queueOf(driver)).findIndex(({ id }) => id === jobId)
  const possible_moves: JobMoveName[] = movesFrom(jobFlow, job.status, 'steward')
  const doubts = await doubtsAbout(driver, job)
  const worked_on = await isWorkedOn(driver, job)
  return {
    summary: summaryOf(job, place === -1 ? null : place),
    job,
    possible_moves,
    doubts,
    worked_on,
    has_workspace: existsSync(job.workspace),
  }
}

/** The same for a screen that follows the log from there on. */
export async function viewJob(driver: Driver, jobId: string) {
  const seq = await log.last(driver) // before reading: a change in between is then seen twice, never missed
  return { ...(await jobStatus(driver, jobId)), seq }
}

/** More answers than this do not lie between a Worker's and the approval it leads to. */
const LOOKED_AT = 20

/** What speaks against approving the work that waits for it: checks that failed, and files that were claimed and are not there. */
async function doubtsAbout(driver: Driver, { id, status }: Job): Promise<string[]> {
  if (status !== 'APPROVAL_REQUIRED') return []
  const last = await jobInteractions.items(driver, { where: { job_id: id }, order: ['-sequence'], limit: LOOKED_AT })
  const work = last.find(({ seat, interaction }) => seat === 'worker' && interaction.response.actions[0] === 'COMPLETED')
  return work === undefined ? [] : doubtsIn(work)
}

function doubtsIn({ checks, evidence }: JobInteraction): string[] {
  const failed = checks.filter(({ passed }) => !passed).map(({ name }) => `the check ${name} failed`)
  const missing = evidence.claimed.filter(({ found }) => found === 'missing').map(({ path }) => `${path} was claimed and is not there`)
  return [...failed, ...missing]
}

function summaryOf(job: Job, queue: number | null) {
  const { id, status, reason, reason_text, worked_ms, iterations, rounds, updated_at } = job
  const { name, number, of } = phaseOf(job)
  return {
    id,
    status,
    reason,
    reason_text,
    title: jobTitle(job),
    phase: { name, number, of },
    queue,
    seat: seatFor(status),
    needs_person: needsSteward(status),
    cost_microusd: job.usage.cost_microusd,
    estimated: job.usage.estimated === true,
    max_cost_microusd: job.limits.max_cost_microusd,
    worked_ms,
    iterations,
    rounds,
    updated_at,
  }
}

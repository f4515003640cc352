import { existsSync } from 'node:fs'
import * as z from 'zod'
import { movesFrom } from '../../domain/flow.ts'
import { jobFlow, JobSeat, needsSteward, seatFor, type JobMoveName } from '../../domain/job/flow.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import { Job, JobMove, jobTitle, phaseOf } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { Driver } from '../../store/driver.ts'
import { log } from '../../store/log.ts'
import { jobInteractions, jobs } from '../../store/tables.ts'
import type { JobReader } from '../context.ts'
import { NamedJob, tellJob } from '../steward/decision.ts'
import { queueOf } from '../queue.ts'
import { isWorkedOn } from '../step/step.ts'
import { jobMovesOf } from './history.ts'

/** A job in a list: enough to see its state and whether it needs a person. */
export type JobSummary = z.infer<typeof JobSummary>
const JobSummary = Job.pick({
  id: true,
  status: true,
  reason: true,
  reason_text: true,
  worked_ms: true,
  iterations: true,
  rounds: true,
  updated_at: true,
}).extend({
  title: z.string(),
  phase: z.object({ name: z.string(), number: z.int(), of: z.int() }),
  queue: z.int().nullable(),
  seat: JobSeat.nullable(),
  needs_person: z.boolean(),
  cost_microusd: z.int().nullable(),
  estimated: z.boolean(),
  max_cost_microusd: z.int().nullable(),
})

/** A job, opened: the record, and what its Steward can do now. */
export type JobView = z.infer<typeof JobView>
const JobView = z.object({
  summary: JobSummary,
  job: Job,
  possible_moves: z.array(z.enum(Object.keys(jobFlow.moves) as JobMoveName[])), // the keys of that table are its moves
  doubts: z.array(z.string()).describe('what speaks against approving the work that waits for it'),
  worked_on: z.boolean().describe('whether a living process works on it; a job with an agent at work and none has lost its process'),
  has_workspace: z.boolean(),
  seq: z.int().describe('the line of the log from which on changes of it are news'),
})

export const listJobs = defineOperation({
  name: 'job.list',
  summary: 'List all jobs, the queue first',
  by: ['person'],
  effect: 'read',
  command: 'job list',
  input: z.strictObject({}),
  output: z.object({ jobs: z.array(JobSummary) }),
  example: {},
  tell: ({ jobs: found }) => found.map(tellJob).join('\n'),
  run: async ({ agent: { driver } }: JobReader) => {
    const all = await jobs.items(driver, { order: ['rank'] })
    const queue = all.filter(({ status }) => seatFor(status) !== null).map(({ id }) => id)
    const places = new Map(queue.map((id, at) => [id, at]))
    const found = all.map((job) => summaryOf(job, places.get(job.id) ?? null))
    return { jobs: [...found.filter(({ queue: at }) => at !== null), ...found.filter(({ queue: at }) => at === null)] }
  },
})

export const jobStatus = defineOperation({
  name: 'job.status',
  summary: 'Show the state of a job and what can be done',
  by: ['person'],
  effect: 'read',
  command: 'job status [job]',
  input: NamedJob,
  output: JobView,
  example: { job: 'greet' },
  tell: ({ summary }) => tellJob(summary),
  run: ({ agent: { driver } }: JobReader, { job }) => viewJob(driver, job),
})

export const showJob = defineOperation({
  name: 'job.show',
  summary: 'Show a job with all its moves',
  by: ['person'],
  effect: 'read',
  command: 'job show [job]',
  input: NamedJob,
  output: JobView.extend({ moves: z.array(JobMove) }),
  example: { job: 'greet' },
  tell: ({ summary }) => tellJob(summary),
  run: async ({ agent: { driver } }: JobReader, { job }) => ({ ...(await viewJob(driver, job)), moves: await jobMovesOf(driver, job) }),
})

async function viewJob(driver: Driver, jobId: string): Promise<JobView> {
  const seq = await log.last(driver) // before reading: a change in between is then seen twice, never missed
  const { item: job } = await jobs.get(driver, jobId)
  const place = (await queueOf(driver)).findIndex(({ id }) => id === jobId)
  const possible_moves = movesFrom(jobFlow, job.status, 'steward')
  const doubts = await doubtsAbout(driver, job)
  const worked_on = await isWorkedOn(driver, job)
  return {
    summary: summaryOf(job, place === -1 ? null : place),
    job,
    possible_moves,
    doubts,
    worked_on,
    has_workspace: existsSync(job.workspace),
    seq,
  }
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

function summaryOf(job: Job, queue: number | null): JobSummary {
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

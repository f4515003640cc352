import * as z from 'zod'
import { Interaction, JobInteraction } from '../../domain/job/history.ts'
import type { JobMove } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions, jobMoves, jobs } from '../../store/tables.ts'
import type { JobReader } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'

/** Interactions are numbered from 1. */
export const InteractionNumber = z.int().positive().max(999_999_999)

export const readHistory = defineOperation({
  name: 'job.history',
  summary: 'Show every exchange of a job, oldest first',
  by: ['person'],
  effect: 'read',
  command: 'job history [job]',
  input: NamedJob.extend({ from: InteractionNumber.default(1).describe('only from this interaction on') }),
  output: z.object({ interactions: z.array(JobInteraction) }),
  example: { job: 'greet', from: 2 },
  tell: ({ interactions }) => counted(interactions.length, 'interaction'),
  run: async ({ agent: { driver } }: JobReader, { job, from }) => ({ interactions: await historyOf(driver, job, { after: from - 1 }) }),
})

/** As `jobHistory.json` has it. */
export const readFixture = defineOperation({
  name: 'job.fixture',
  summary: 'Print one interaction of a job, as a fixture for poststep',
  by: ['person'],
  effect: 'read',
  command: 'job fixture <job> <number>',
  input: NamedJob.extend({ number: InteractionNumber.describe('the number of the interaction') }),
  output: Interaction,
  example: { job: 'greet', number: 1 },
  tell: (interaction) => JSON.stringify(interaction, null, 2),
  run: async ({ agent: { driver } }: JobReader, { job, number }) => (await interactionAt(driver, job, number)).interaction,
})

/** A page of what happened in a job, oldest first. Reading changes nothing. */
export async function historyOf(driver: Driver, jobId: string, page: { after?: number; limit?: number } = {}): Promise<JobInteraction[]> {
  await jobs.get(driver, jobId)
  return jobInteractions.items(driver, {
    where: { job_id: jobId, sequence: { above: page.after ?? 0 } },
    order: ['sequence'],
    limit: page.limit,
  })
}

const PAGE = 200

/** Every interaction of a job in its order, a page at a time: a long history would not fit into memory. */
export async function* everyInteraction(driver: Driver, jobId: string, above = 0): AsyncGenerator<JobInteraction, void> {
  for (let after = above; ;) {
    const page = await historyOf(driver, jobId, { after, limit: PAGE })
    yield* page
    if (page.length < PAGE) return
    after = page.at(-1)?.sequence ?? after
  }
}

/** The sequence of the newest interaction of every job that has one. */
export async function lastSequences(driver: Driver): Promise<ReadonlyMap<string, number>> {
  const sql = 'select job_id, max(sequence) as last from "job_interactions" group by job_id'
  const rows = await driver.query<{ job_id: string; last: number }>(sql, [])
  return new Map(rows.map(({ job_id, last }) => [job_id, last]))
}

/** Every move that was made, oldest first. */
export async function jobMovesOf(driver: Driver, jobId: string): Promise<JobMove[]> {
  return await jobMoves.items(driver, { where: { job_id: jobId }, order: ['number'] })
}

/** One interaction by its number, with all that is known of it. */
export async function interactionAt(driver: Driver, jobId: string, sequence: number): Promise<JobInteraction> {
  const { item: job } = await jobs.get(driver, jobId)
  const [found] = await jobInteractions.items(driver, { where: { job_id: job.id, sequence } })
  if (found) return found
  throw new Problem('not_found', `the job ${jobId} has no interaction ${sequence}; it has ${job.history.interactions}, numbered from 1`)
}

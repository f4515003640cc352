import * as z from 'zod'
import { JobInteraction } from '../../domain/job/history.ts'
import { JobMove } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions, jobMoves, jobs } from '../../store/tables.ts'
import type { JobReader } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'
import { InteractionNumber } from './history.ts'

/** A job may have thousands of exchanges and of moves. */
export const readTimeline = defineOperation({
  name: 'job.timeline',
  summary: 'Show a page of what happened in a job, newest first: its exchanges, and what was decided between them',
  by: ['person'],
  effect: 'read',
  command: 'job timeline [job]',
  input: NamedJob.extend({
    before: InteractionNumber.optional().describe('only what was before this interaction'),
    limit: z.int().min(1).max(500).default(50).describe('how many interactions'),
  }),
  output: z.object({
    exchanges: z.array(JobInteraction),
    moves: z.array(JobMove).describe('what was decided since the oldest of these exchanges, and before the next page'),
    earlier: z.boolean(),
  }),
  example: { job: 'greet', limit: 10 },
  tell: ({ exchanges, moves }) => `${counted(exchanges.length, 'exchange')}, ${counted(moves.length, 'decision')}`,
  run: async ({ agent: { driver } }: JobReader, { job: job_id, before, limit }) => {
    const { item: job } = await jobs.get(driver, job_id)
    const where = before === undefined ? { job_id } : { job_id, sequence: { below: before + 1 } }
    const listed = await jobInteractions.items(driver, { where, order: ['-sequence'], limit: limit + 2 })
    const newer = listed[0]?.sequence === before ? listed.shift() : undefined
    const exchanges = listed.slice(0, limit)
    const earlier = listed.length > limit
    const from = earlier ? (exchanges.at(-1)?.after_move ?? 0) : 0
    return { exchanges, moves: await decisionsBetween(driver, job_id, from, newer?.after_move ?? job.moves), earlier }
  },
})

const MOVES_AT_MOST = 1_000

/** An exchange tells its own moves: that it began, and where it led. */
async function decisionsBetween(driver: Driver, jobId: string, above: number, to: number): Promise<JobMove[]> {
  const where = { job_id: jobId, number: { above, below: to + 1 } }
  const found = await jobMoves.items(driver, { where, order: ['-number'], limit: MOVES_AT_MOST })
  return found.filter(({ sequence, move }) => sequence === null && move !== 'work' && move !== 'review')
}

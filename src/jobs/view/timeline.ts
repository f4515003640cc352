import type { JobInteraction } from '../../domain/job/history.ts'
import type { JobMove } from '../../domain/job/job.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions, jobMoves, jobs } from '../../store/tables.ts'

/** A page of what happened in a job, newest first. */
export interface Timeline {
  exchanges: JobInteraction[]
  /** What people and Troupe itself decided since the oldest of these exchanges, and before the next page. */
  moves: JobMove[]
  earlier: boolean
}

/** Reads the newest page, or the one before an exchange. A job may have thousands of both. */
export async function timelineOf(
  driver: Driver,
  jobId: string,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<Timeline> {
  const { item: job } = await jobs.get(driver, jobId)
  const where = before === undefined ? { job_id: jobId } : { job_id: jobId, sequence: { below: before + 1 } }
  const listed = await jobInteractions.items(driver, { where, order: ['-sequence'], limit: limit + 2 })
  const newer = listed[0]?.sequence === before ? listed.shift() : undefined
  const exchanges = listed.slice(0, limit)
  const earlier = listed.length > limit
  const from = earlier ? (exchanges.at(-1)?.after_move ?? 0) : 0
  return { exchanges, moves: await decisionsBetween(driver, jobId, from, newer?.after_move ?? job.moves), earlier }
}

const MOVES_AT_MOST = 1_000

/** An exchange tells its own moves: that it began, and where it led. */
async function decisionsBetween(driver: Driver, jobId: string, above: number, to: number): Promise<JobMove[]> {
  const where = { job_id: jobId, number: { above, below: to + 1 } }
  const found = await jobMoves.items(driver, { where, order: ['-number'], limit: MOVES_AT_MOST })
  return found.filter(({ sequence, move }) => sequence === null && move !== 'work' && move !== 'review')
}

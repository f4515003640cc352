import { freshCount, moveJob, withNote } from '../domain/job/decide.ts'
import type { Job } from '../domain/job/job.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'

/** The Steward releases a stopped job, to the Worker or straight to review; the note stands in the next prompt. */
export function resubmitJob(
  { agent: { driver, now } }: JobContext,
  jobId: string,
  note: string,
  to: 'work' | 'review' = 'work',
): Promise<Job> {
  return changeJob(driver, jobId, now(), (job) => {
    const moved = moveJob(job, to === 'work' ? 'resubmit' : 'resubmit_review', 'steward', note)
    return { ...moved, job: withNote(freshCount(moved.job), 'steward', note, now()) }
  })
}

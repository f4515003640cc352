import { freshCount, moveJob, withNote, type Moved } from '../domain/job/decide.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'

/** The Steward sends a phase back to the Worker; the reason stands in its next prompt. */
export function rejectJob({ agent: { driver, now } }: JobContext, jobId: string, reason: string): Promise<Job> {
  return changeJob(driver, jobId, now(), (job) => {
    const moved = rejection(job, reason)
    return { ...moved, job: withNote({ ...freshCount(moved.job), feedback: [] }, 'steward', `Rejected: ${reason}`, now()) }
  })
}

/** The move of a rejection, which must say why. */
export function rejection(job: Job, reason: string): Moved {
  if (reason.trim() === '') throw new Problem('bad_input', 'a rejection needs a reason: the Worker must know what to do differently')
  return moveJob(job, 'reject', 'steward', reason)
}

import { approvePhase, withNote } from '../domain/job/decide.ts'
import type { Job } from '../domain/job/job.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'

/** The Steward lets a phase pass: the next one begins, with the note in its prompt, or the job is a success. */
export function approveJob({ agent: { driver, now } }: JobContext, jobId: string, note = ''): Promise<Job> {
  return changeJob(driver, jobId, now(), (job) => {
    const moved = approvePhase(job, 'steward', note)
    return { ...moved, job: withNote(moved.job, 'steward', note, now()) }
  })
}

import { moveJob } from '../domain/job/decide.ts'
import type { Job } from '../domain/job/job.ts'
import { leaveWork } from './step/leave-work.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'

/** Ends a job for good, stopping its agent if one is at work. Its branch, history and workspace stay. */
export async function cancelJob(context: JobContext, jobId: string, note = ''): Promise<Job> {
  const { driver, now } = context.agent
  const job = await changeJob(driver, jobId, now(), (was) => moveJob(was, 'cancel', 'steward', note))
  return leaveWork(context, job)
}

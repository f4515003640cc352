import { moveJob, withNote, type Moved } from '../domain/job/decide.ts'
import { resumeMoves } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { changeJob } from './step/save.ts'
import type { JobContext } from './context.ts'
import { leaveWork } from './step/leave-work.ts'

/** Pauses a job, stopping its agent if one is at work; the state it goes on in is remembered. */
export async function suspendJob(context: JobContext, jobId: string, note = ''): Promise<Job> {
  const { driver, now } = context.agent
  const job = await changeJob(driver, jobId, now(), (was) => {
    const moved = moveJob(was, 'suspend', 'steward', note)
    const kept = { suspended_from: was.status, reason: was.reason, reason_text: was.reason_text }
    return { ...moved, job: withNote({ ...moved.job, ...kept }, 'steward', note, now()) }
  })
  return leaveWork(context, job)
}

/** Goes on where a job was suspended. */
export function resumeJob({ agent: { driver, now } }: JobContext, jobId: string): Promise<Job> {
  return changeJob(driver, jobId, now(), resumption)
}

/** The way back from a pause; there is none before the agent has been stopped. */
export function resumption(was: Job): Moved {
  const from = was.suspended_from
  if (from === null || !(from in resumeMoves)) return moveJob(was, 'resume_work', 'steward')
  if (was.active !== null) throw new Problem('busy', `the agent of ${was.id} is still being stopped; try again in a moment`)
  const moved = moveJob(was, resumeMoves[from as keyof typeof resumeMoves], 'steward') // proven by `in`
  const reasons = { reason: was.reason, reason_text: was.reason_text }
  return { ...moved, job: { ...moved.job, ...(moved.job.status === 'INTERVENTION_REQUIRED' && reasons), suspended_from: null } }
}

import { runInBackground, type Playing } from '../agent/background.ts'
import { isAgentWorking, seatFor } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { runJobs } from './run.ts'
import { jobContextIn, type JobContext } from './context.ts'
import { refuseAtWork, stepJob } from './step/step.ts'

/** The jobs a long-lived process is working on. */
export interface JobPlays {
  context: JobContext
  playing: Playing
}

export function openJobPlays(context: JobContext): JobPlays {
  return { context, playing: new Map() }
}

/** Starts one step of a job, or steps until a person is needed, and comes back at once. How it goes is in the job's record. */
export async function startInBackground(plays: JobPlays, jobId: string, howFar: 'step' | 'run'): Promise<Job> {
  const { context, playing } = plays
  const { item: job } = await jobs.get(context.agent.driver, jobId)
  if (playing.has(jobId)) throw new Problem('busy', `${jobId} is at work already`)
  if (isAgentWorking(job.status)) await refuseAtWork(context.agent.driver, job)
  if (seatFor(job.status) === null) throw new Problem('move_refused', `${jobId} is ${job.status}; no agent acts next`)
  await jobContextIn(context, job) // refused here, where a person hears of it, rather than in the background
  runInBackground(playing, jobId, 'job', (signal) =>
    howFar === 'step' ? stepJob(context, jobId, signal) : runJobs(context, { jobId, signal }).then(raiseFirst),
  )
  return job
}

function raiseFirst({ problems: [first] }: Awaited<ReturnType<typeof runJobs>>): void {
  if (first) throw first.problem
}

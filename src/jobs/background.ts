import { playApart, type Playing } from '../agent/background.ts'
import { isAtWork, seatFor } from '../domain/job-flow.ts'
import type { Job } from '../domain/job.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { runJobs } from './run.ts'
import { stageOf, type JobStage } from './stage.ts'
import { refuseAtWork, stepJob } from './step.ts'

/** The jobs a long-lived process is working on. */
export interface JobPlays {
  stage: JobStage
  playing: Playing
}

export function openJobPlays(stage: JobStage): JobPlays {
  return { stage, playing: new Map() }
}

/** Starts one step of a job, or steps until a person is needed, and comes back at once. How it goes is in the job's record. */
export async function startInBackground(plays: JobPlays, jobId: string, howFar: 'step' | 'run'): Promise<Job> {
  const { stage, playing } = plays
  const { item: job } = await jobs.get(stage.agent.driver, jobId)
  if (playing.has(jobId)) throw new Problem('busy', `${jobId} is at work already`)
  if (isAtWork(job.status)) await refuseAtWork(stage.agent.driver, job)
  if (seatFor(job.status) === null) throw new Problem('move_refused', `${jobId} is ${job.status}; no agent acts next`)
  await stageOf(stage, job) // refused here, where a person hears of it, rather than in the background
  playApart(playing, jobId, 'job', (signal) =>
    howFar === 'step' ? stepJob(stage, jobId, signal) : runJobs(stage, { jobId, signal }).then(raiseFirst),
  )
  return job
}

function raiseFirst({ problems: [first] }: Awaited<ReturnType<typeof runJobs>>): void {
  if (first) throw first.problem
}

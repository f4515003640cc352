import { isAtWork, seatFor } from '../domain/job-flow.ts'
import type { Job } from '../domain/job.ts'
import { Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { runJobs } from './run.ts'
import type { JobStage } from './stage.ts'
import { refuseAtWork, stepJob } from './step.ts'

/** The jobs a long-lived process is working on, so that it can stop them when it ends. */
export interface JobPlays {
  stage: JobStage
  playing: Map<string, { stop: AbortController; done: Promise<void> }>
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
  const stop = new AbortController()
  const work = howFar === 'step' ? stepJob(stage, jobId, stop.signal) : runJobs(stage, { jobId, signal: stop.signal }).then(raiseFirst)
  const done = work
    .then(() => undefined)
    .catch((error: unknown) => process.emitWarning(`the job ${jobId} could not go on: ${String(error)}`))
    .finally(() => playing.delete(jobId))
  playing.set(jobId, { stop, done })
  return job
}

/** Stops every job of this process and waits until each has recorded where it stands. */
export async function closeJobPlays({ playing }: JobPlays): Promise<void> {
  const all = [...playing.values()]
  for (const { stop } of all) stop.abort()
  await Promise.all(all.map(({ done }) => done))
}

function raiseFirst({ problems: [first] }: Awaited<ReturnType<typeof runJobs>>): void {
  if (first) throw first.problem
}

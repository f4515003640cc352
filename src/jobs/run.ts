import { setTimeout as sleep } from 'node:timers/promises'
import { isFinal } from '../domain/flow.ts'
import { isAgentWorking, jobFlow, needsSteward, seatFor } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import { asProblem, type Problem } from '../domain/problem.ts'
import { jobs } from '../store/tables.ts'
import { problemOf, type JobProblem } from './job-problem.ts'
import { notRunnable } from './step/begin.ts'
import { queueOf } from './queue.ts'
import type { JobContext } from './context.ts'
import { isWorkedOn, refuseAtWork, stepJob } from './step/step.ts'

/** How a run through the queue went. */
export interface RunReport {
  steps: number
  /** Jobs that now wait for their Steward. */
  needs_person: Job[]
  /** Jobs that nobody has to go on with any more. */
  over: Job[]
  /** Those that could not be stepped. */
  problems: JobProblem[]
}

/** What is told of a step while the queue is worked through; a refused one did not take place. */
export type StepNews = 'begins' | 'ended' | 'refused'

export interface RunJobsOptions {
  /** Only this job. */
  jobId?: string | undefined
  signal: AbortSignal
  onStep?: (job: Job, news: StepNews) => void
}

/** Works through the queue, the foremost job first, until nothing can be worked on or only people can go on. */
export async function runJobs(context: JobContext, { jobId, signal, onStep }: RunJobsOptions): Promise<RunReport> {
  const { now } = context.agent
  const touched = new Map((await named(context, jobId)).map((job) => [job.id, job]))
  const refused = new Map<string, Problem>()
  let steps = 0
  while (!signal.aborted) {
    const open = (await candidates(context, jobId)).filter(({ id }) => !refused.has(id))
    const ready = open.find(({ not_before }) => not_before === null || new Date(not_before) <= now())
    if (!ready && open.length === 0) break
    if (!ready) {
      await untilFirst(open, now(), signal)
      continue
    }
    onStep?.(ready, 'begins')
    try {
      const after = await stepJob(context, ready.id, signal)
      if (tookPlace(ready, after)) steps += 1
      touched.set(after.id, after)
      onStep?.(after, 'ended')
    } catch (error) {
      const problem = asProblem(error)
      if (jobId !== undefined || problem.code !== 'busy') refused.set(ready.id, problem)
      onStep?.(ready, 'refused')
    }
  }
  return {
    steps,
    needs_person: [...touched.values()].filter(({ status }) => needsSteward(status)),
    over: [...touched.values()].filter(({ status }) => isFinal(jobFlow, status)),
    problems: [...refused].map(([job_id, problem]) => problemOf(job_id, problem)),
  }
}

/** A job that a limit stops has made no step; one that is taken up goes on with a step that was counted when it began. */
function tookPlace(before: Job, after: Job): boolean {
  return isAgentWorking(before.status) || after.iterations > before.iterations
}

/** What a run would work through: refused where the run itself would be. */
export async function plannedRun(context: JobContext, jobId: string | undefined): Promise<Job[]> {
  for (const job of await named(context, jobId)) await refuseAtWork(context.agent.driver, job)
  return candidates(context, jobId)
}

/** A job that is meant by name: one that waits is told of even if nothing was done, and one that nobody can work on is refused with the way on. */
async function named({ agent: { driver } }: JobContext, jobId: string | undefined): Promise<Job[]> {
  if (jobId === undefined) return []
  const { item } = await jobs.get(driver, jobId)
  if (item.status === 'DRAFT' || item.status === 'SUSPENDED') throw notRunnable(item)
  return [item]
}

/** Several processes may work through one queue: what another one is at is left to it, and is no problem of ours. */
async function candidates({ agent: { driver } }: JobContext, jobId: string | undefined): Promise<Job[]> {
  if (jobId === undefined) {
    const queue = await queueOf(driver)
    const taken = await Promise.all(queue.map((job) => isWorkedOn(driver, job)))
    return queue.filter((_, at) => !taken[at])
  }
  const { item } = await jobs.get(driver, jobId)
  return seatFor(item.status) === null ? [] : [item]
}

/** All of them failed a moment ago: waits until the first may be tried again. */
async function untilFirst(open: readonly Job[], now: Date, signal: AbortSignal): Promise<void> {
  const first = Math.min(...open.map(({ not_before }) => new Date(not_before ?? now).getTime()))
  await sleep(Math.max(1, first - now.getTime()), undefined, { signal }).catch(() => undefined) // stopped while waiting: the caller looks at the signal
}

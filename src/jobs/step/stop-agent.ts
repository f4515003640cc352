import { setTimeout as sleep } from 'node:timers/promises'
import { stopRun } from '../../agent/run/stop.ts'
import type { Job } from '../../domain/job/job.ts'
import { jobs } from '../../store/tables.ts'
import type { JobContext } from '../context.ts'
import { isWorkedOn, settleStep } from './step.ts'

const LOOK_MS = 50

/** Stops the agent of a job that has just been suspended or cancelled, and comes back when its exchange is recorded. */
export async function stopAgent(context: JobContext, job: Job): Promise<Job> {
  const { driver, now } = context.agent
  if (job.active === null || context.dry === true) return job
  if (job.active.run_id !== null) await stopRun(driver, job.active.run_id, now())
  for (;;) {
    const was = await jobs.get(driver, job.id)
    if (was.item.active === null) return was.item
    if (!(await isWorkedOn(driver, was.item))) return settleStep(context, was, new AbortController().signal)
    await sleep(LOOK_MS)
  }
}

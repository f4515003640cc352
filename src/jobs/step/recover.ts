import { moveJob } from '../../domain/job/decide.ts'
import { bySeat, isAgentWorking, seatFor } from '../../domain/job/flow.ts'
import type { Job } from '../../domain/job/job.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Stored } from '../../store/collection.ts'
import { jobs } from '../../store/tables.ts'
import { writeManifest } from '../view/files.ts'
import { rebuildHistory } from '../view/history-file.ts'
import type { JobProblem } from '../run.ts'
import { changeJob } from './save.ts'
import type { JobContext } from '../context.ts'
import { isWorkedOn, refuseAtWork, settleStep } from './step.ts'

/** Puts a job in order after a crash, without asking an agent: finishes what was recorded, puts back what was not, mends its files. */
export async function recoverJob(context: JobContext, jobId: string): Promise<Job> {
  const { driver, now } = context.agent
  const was = await jobs.get(driver, jobId)
  const settled = was.item.active === null ? was.item : await settle(context, was)
  const history = await rebuildHistory(driver, settled, now())
  const saved = await driver.transaction(async (tx) => {
    const found = await jobs.get(tx, jobId)
    const same = JSON.stringify(found.item.history) === JSON.stringify(history)
    return same ? found : jobs.replace(tx, found, { ...found.item, history })
  })
  await writeManifest(driver, saved.item, now())
  return saved.item
}

/** Recovers every job whose process is gone; one that cannot be put in order, and why, holds up no other. */
export async function recoverAll(context: JobContext): Promise<{ recovered: Job[]; problems: JobProblem[] }> {
  const [recovered, problems]: [Job[], JobProblem[]] = [[], []]
  for (const { id } of await unfinished(context)) {
    const job = await recoverJob(context, id).catch(asProblem)
    if (!(job instanceof Problem)) recovered.push(job)
    else if (job.code !== 'busy') problems.push({ job_id: id, problem: job }) // who is busy needs no recovery
  }
  return { recovered, problems }
}

/** Jobs with a step that no living process works on: all, or the one that is meant. */
export async function unfinished({ agent: { driver } }: JobContext, jobId?: string): Promise<Job[]> {
  const where = { status: ['RUNNING', 'REVIEWING', 'SUSPENDED', 'CANCELED'] as const }
  const found = jobId === undefined ? await jobs.items(driver, { where }) : [(await jobs.get(driver, jobId)).item]
  if (jobId !== undefined) for (const job of found) await refuseAtWork(driver, job)
  const taken = await Promise.all(found.map((job) => isWorkedOn(driver, job)))
  return found.filter(({ active }, at) => active !== null && !taken[at])
}

/** An answer that was to be repaired is not asked for again here: its Worker or Supervisor begins anew. */
async function settle(context: JobContext, was: Stored<Job>): Promise<Job> {
  const { driver, now } = context.agent
  const job = await settleStep(context, was, new AbortController().signal)
  if (!isAgentWorking(job.status)) return job
  return changeJob(driver, job.id, now(), (found) => {
    const { put_back } = bySeat[seatFor(found.status) ?? 'worker'] // what is not at work any more is refused by the table
    const moved = moveJob(found, put_back, 'runtime', 'its process is gone before the exit command was repaired')
    return { ...moved, job: { ...moved.job, active: null } }
  })
}

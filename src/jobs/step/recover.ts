import * as z from 'zod'
import { moveJob } from '../../domain/job/decide.ts'
import { bySeat, isAgentWorking, seatFor } from '../../domain/job/flow.ts'
import { Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Stored } from '../../store/collection.ts'
import { jobs } from '../../store/tables.ts'
import { writeManifest } from '../view/files.ts'
import { rebuildHistory } from '../view/history-file.ts'
import type { JobContext } from '../context.ts'
import { NamedJob, tellJob } from '../steward/decision.ts'
import { JobProblem, problemOf } from '../job-problem.ts'
import { changeJob } from './save.ts'
import { isWorkedOn, refuseAtWork, settleStep } from './step.ts'

/** What is recorded is finished, what is not is put back, and the files are mended. Of many, one that cannot be put in order holds up no other. */
export const recoverJobs = defineOperation({
  name: 'job.recover',
  summary: 'Repair a job whose process has ended, without asking an agent; without a name, all such jobs',
  by: ['person'],
  effect: 'change',
  command: 'job recover [job]',
  input: NamedJob.partial(),
  output: z.object({ jobs: z.array(Job), problems: z.array(JobProblem) }),
  example: { job: 'greet' },
  tell: ({ jobs: recovered }) => recovered.map(tellJob).join('\n') || 'Nothing to recover',
  run: async (context: JobContext, { job: id }) => {
    if (context.dry === true) return { jobs: await unfinished(context, id), problems: [] }
    if (id !== undefined) return { jobs: [await recoverJob(context, id)], problems: [] }
    const [recovered, problems]: [Job[], JobProblem[]] = [[], []]
    for (const job of await unfinished(context)) {
      const after = await recoverJob(context, job.id).catch(asProblem)
      if (!(after instanceof Problem)) recovered.push(after)
      else if (after.code !== 'busy') problems.push(problemOf(job.id, after)) // who is busy needs no recovery
    }
    return { jobs: recovered, problems }
  },
})

async function recoverJob(context: JobContext, jobId: string): Promise<Job> {
  const { driver, now } = context.agent
  const was = await jobs.get(driver, jobId)
  const settled = was.item.active === null ? was.item : await settle(context, was)
  const history = await rebuildHistory(driver, settled, now())
  const saved = await driver.transaction(async (tx) => {
    const found = await jobs.get(tx, jobId)
    const same = JSON.stringify(found.item.history) === JSON.stringify(history)
    return same ? found : jobs.replace(tx, found, { ...found.item, history })
  })
  await writeManifest(context, saved.item)
  return saved.item
}

/** Jobs with a step that no living process works on: all, or the one that is meant. */
async function unfinished({ agent: { driver } }: JobContext, jobId?: string): Promise<Job[]> {
  const where = { status: ['RUNNING', 'REVIEWING', 'SUSPENDED', 'CANCELED'] as const }
  const found = jobId === undefined ? await jobs.items(driver, { where }) : [(await jobs.get(driver, jobId)).item]
  if (jobId !== undefined) for (const job of found) await refuseAtWork(driver, job)
  const taken = await Promise.all(found.map((job) => isWorkedOn(driver, job)))
  return found.filter(({ active }, at) => active !== null && !taken[at])
}

/** An answer that was to be repaired is not asked for again here: its Worker or Supervisor begins again. */
async function settle(context: JobContext, was: Stored<Job>): Promise<Job> {
  const job = await settleStep(context, was, new AbortController().signal)
  if (!isAgentWorking(job.status)) return job
  return changeJob(context, job.id, (found) => {
    const { put_back } = bySeat[seatFor(found.status) ?? 'worker'] // what is not at work any more is refused by the table
    const moved = moveJob(found, put_back, 'runtime', 'its process is gone before the exit command was repaired')
    return { ...moved, job: { ...moved.job, active: null } }
  })
}

import * as z from 'zod'
import { runnableStates } from '../domain/job/flow.ts'
import { Job } from '../domain/job/job.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'
import type { JobContext } from './context.ts'
import { NamedJob } from './steward/decision.ts'
import { writeManifest } from './view/files.ts'

/** A place in the queue. */
export const QueuePlace = z.int().min(-1).describe('place in the queue: 0 is the front, -1 the end')

export const rankJob = defineOperation({
  name: 'job.rank',
  summary: 'Move a job in the queue',
  by: ['person'],
  effect: 'change',
  command: 'job rank <job> <rank>',
  input: NamedJob.extend({ rank: QueuePlace }),
  output: Job,
  example: { job: 'greet', rank: 0 },
  tell: ({ id }) => `${id} has its place in the queue`,
  run: async (context: JobContext, { job: id, rank }) => {
    const { driver } = context.agent
    await placeInQueue(driver, id, rank)
    const { item } = await jobs.get(driver, id)
    await writeManifest(context, item)
    return item
  },
})

/** Jobs that agents can work on, in the order in which they are taken. */
export async function queueOf(driver: Driver): Promise<Job[]> {
  return jobs.items(driver, { where: { status: runnableStates }, order: ['rank'] })
}

/** Puts a job at a place in the queue; a place that activation would take away again is refused rather than lost. */
export async function placeInQueue(driver: Driver, jobId: string, place: number): Promise<void> {
  await driver.transaction(async (tx) => {
    const job = await jobs.get(tx, jobId)
    if (job.item.status === 'DRAFT') throw unqueued(jobId)
    if (place === -1) {
      const [last] = await jobs.items(tx, { order: ['-rank'], limit: 1 })
      await jobs.replace(tx, job, { ...job.item, rank: (last?.rank ?? 0) + 1 })
      return
    }
    const others = (await jobs.list(tx, { order: ['rank'] })).filter(({ item }) => item.id !== jobId)
    const runnable = others.filter(({ item }) => runnableStates.includes(item.status))
    const before = runnable[place]
    const at = before === undefined ? others.length : others.indexOf(before)
    const ordered = [...others.slice(0, at), job, ...others.slice(at)]
    for (const [rank, was] of ordered.entries()) {
      if (was.item.rank !== rank) await jobs.replace(tx, was, { ...was.item, rank })
    }
  })
}

/** Why a draft has no place in the queue. */
export function unqueued(jobId: string): Problem {
  return new Problem('move_refused', `the draft ${jobId} is not in the queue yet; activate it first`, {
    next: [{ operation: 'job.activate', input: { job: jobId, rank: 'PLACE' } }],
  })
}

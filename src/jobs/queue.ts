import { runnableStates } from '../domain/job/flow.ts'
import type { Job } from '../domain/job/job.ts'
import type { Driver } from '../store/driver.ts'
import { jobs } from '../store/tables.ts'

/** Jobs that agents can work on, in the order in which they are taken. */
export async function queueOf(driver: Driver): Promise<Job[]> {
  return jobs.items(driver, { where: { status: runnableStates }, order: ['rank'] })
}

/** Puts a job at a place in the queue: 0 is the front, -1 the end. */
export async function placeInQueue(driver: Driver, jobId: string, place: number): Promise<void> {
  await driver.transaction(async (tx) => {
    const job = await jobs.get(tx, jobId)
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

import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'

/** What some work would come to: it is done in a transaction that is taken back. */
export async function dryRun<Result>(driver: Driver, work: (tx: Driver) => Promise<Result>): Promise<Result> {
  const done: Result[] = []
  const takenBack = new Problem('stopped', 'the dry run is over')
  await driver
    .transaction(async (tx) => {
      done.push(await work(tx))
      throw takenBack
    })
    .catch((error: unknown) => {
      if (error !== takenBack) throw error
    })
  const [result] = done.slice(-1)
  if (result === undefined) throw takenBack
  return result
}

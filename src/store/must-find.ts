import type { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'

/** Runs a statement that has to give back a row; where it gives none, what it rested on has changed, and that is refused. */
export async function mustFind(driver: Driver, sql: string, params: readonly unknown[], refusal: () => Problem): Promise<void> {
  const [row] = await driver.query(sql, params)
  if (row === undefined) throw refusal()
}

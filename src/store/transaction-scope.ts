import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'

/** What holds inside a transaction on either database. */
export function createTransactionScope() {
  const inside = new AsyncLocalStorage<{ open: boolean }>()

  /** The store itself would wait for the end of the transaction it is called from: for ever. */
  function refuseInside(): void {
    if (inside.getStore()?.open !== true) return
    throw new Problem('internal', 'inside a transaction use the driver it was given, not the store')
  }

  /** Runs the work with a driver of its own, which ends with it. A transaction in which a statement failed is not committed. */
  async function enter<T>(outer: Driver, query: Driver['query'], work: (tx: Driver) => Promise<T>): Promise<T> {
    const scope = { open: true }
    const failures: unknown[] = []

    function queryInside<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
      if (!scope.open) return Promise.reject(new Problem('internal', 'the transaction this statement belongs to has ended'))
      const rows = query<Row>(sql, params)
      rows.catch((error: unknown) => failures.push(error))
      return rows
    }

    const join: Driver['transaction'] = (inner) => inner(tx)
    const tx: Driver = { ...outer, query: queryInside, transaction: join, snapshot: join }
    try {
      const result = await inside.run(scope, () => work(tx))
      // PostgreSQL would answer "commit" with a silent rollback here, and SQLite with half of the work.
      if (failures.length > 0) throw failures[0]
      return result
    } finally {
      scope.open = false
    }
  }

  return { refuseInside, enter }
}

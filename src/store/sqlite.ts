import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'
import { connect, type Connection } from './sqlite-connection.ts'
import { isBusy, sqliteProblem } from './sqlite-error.ts'
import { watchForAppends } from './sqlite-watch.ts'
import { createTurns } from './turns.ts'

/** How long a write waits for other processes before it gives up with `busy`. */
const PATIENCE_MS = 15_000

/** The embedded store: one file, one connection per process, many processes at once. */
export function openSqlite(file: string, warn: (problem: Problem) => void): Driver {
  const connection = connect(file)
  const takeTurn = createTurns()
  const watch = watchForAppends(connection)

  async function query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    const rows = await takeTurn(() => patiently(connection, () => connection.run<Row>(sql, params)))
    if (connection.writes(sql)) watch.announce()
    return rows
  }

  async function transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T> {
    const result = await takeTurn(() => inTransaction(connection, driver, work))
    watch.announce()
    return result
  }

  async function close(): Promise<void> {
    await takeTurn(async () => {
      watch.stop()
      connection.close()
    })
  }

  const driver: Driver = { kind: 'sqlite', query, transaction, now: async () => new Date(), onAppend: watch.onAppend, warn, close }
  return driver
}

async function inTransaction<T>(connection: Connection, outer: Driver, work: (tx: Driver) => Promise<T>): Promise<T> {
  let open = true
  async function query<Row>(sql: string, params: readonly unknown[] = []): Promise<Row[]> {
    if (!open) throw new Problem('internal', 'the transaction this statement belongs to has ended')
    return connection.run<Row>(sql, params)
  }
  const tx: Driver = { ...outer, query, transaction: (inner) => inner(tx) }

  // "immediate": a lock asked for only at the first write could be refused after the reads that led to it.
  await patiently(connection, () => connection.run('begin immediate'))
  try {
    const result = await work(tx)
    connection.run('commit')
    return result
  } catch (error) {
    connection.rollback()
    throw isBusy(error) ? sqliteProblem(error, connection.file) : error
  } finally {
    open = false
  }
}

/** Tries again while another process writes, leaving this process free to do other things in between. */
async function patiently<T>(connection: Connection, attempt: () => T): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (Date.now() > deadline) throw sqliteProblem(error, connection.file)
    }
    await sleep(1 + Math.random() * 4) // at random, or two processes that met once meet again
  }
}

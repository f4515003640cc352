import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver, StoreOptions } from './driver.ts'
import { connect, type Connection } from './sqlite-connection.ts'
import { isBusy, sqliteProblem } from './sqlite-error.ts'
import { watchForAppends } from './sqlite-watch.ts'
import { createTransactionScope } from './transaction-scope.ts'
import { createTurns } from './turns.ts'

/** A commit survives our death at once, a power cut at the next checkpoint; these wait for the disk, so they come every 16 MB only. */
const SETTINGS = ['pragma synchronous = normal', 'pragma wal_autocheckpoint = 4000']

/** The embedded store: one file, one connection per process, many processes at once. */
export async function openSqlite(file: string, { warn, patienceMs }: Required<StoreOptions>): Promise<Driver> {
  const connection = await configured(file, patienceMs)
  const takeTurn = createTurns()
  const scope = createTransactionScope()
  const watch = watchForAppends(connection)
  const patiently = <T>(attempt: () => T) => tryFor(patienceMs, file, attempt)

  async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    scope.refuseInside()
    const rows = await takeTurn(() => patiently(() => connection.run<Row>(sql, params)))
    if (connection.writes(sql)) watch.announce()
    return rows
  }

  async function transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    const result = await takeTurn(async () => {
      // "immediate": a lock asked for only at the first write could be refused after the reads that led to it.
      await patiently(() => connection.run('begin immediate'))
      return allOrNothing(connection, () => scope.enter(driver, runNow, work))
    })
    watch.announce()
    return result
  }

  async function runNow<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    try {
      return connection.run<Row>(sql, params)
    } catch (error) {
      throw sqliteProblem(error, file)
    }
  }

  async function close(): Promise<void> {
    await takeTurn(async () => {
      watch.stop()
      connection.close()
    })
  }

  // Nobody waits long for a transaction here: there is no way to the server and back in it.
  const driver: Driver = { kind: 'sqlite', query, transaction, optimistic: transaction, now: clock, onAppend: watch.onAppend, warn, close }
  return driver
}

/** All processes that use this file share the clock of their machine. */
const clock = async () => new Date()

/** Already the first setting may meet another process that is just making the store. */
async function configured(file: string, patienceMs: number): Promise<Connection> {
  const connection = connect(file)
  try {
    for (const setting of SETTINGS) await tryFor(patienceMs, file, () => connection.run(setting))
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

async function allOrNothing<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    connection.run('commit')
    return result
  } catch (error) {
    connection.rollback()
    throw sqliteProblem(error, connection.file)
  }
}

/** Tries again while another process writes, leaving this process free to do other things in between. */
async function tryFor<T>(patienceMs: number, file: string, attempt: () => T): Promise<T> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw sqliteProblem(error, file)
    }
    await sleep(1 + Math.random() * 4) // at random, or two processes that met once meet again
  }
}

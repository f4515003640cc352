import { setTimeout as sleep } from 'node:timers/promises'
import type { Driver, StoreOptions } from '../driver.ts'
import { connectSqlite, type SqliteConnection } from './connection.ts'
import { isBusy, sqliteProblem } from './error.ts'
import { watchForAppends } from './watch.ts'
import { createTransactionScope } from '../transaction-scope.ts'
import { createTurns } from '../turns.ts'

/** A commit survives our death at once, a power cut at the next checkpoint; these wait for the disk, so they come every 16 MB only. */
const SETTINGS = ['pragma synchronous = normal', 'pragma wal_autocheckpoint = 4000']

/** The embedded store: one file, one connection per process, many processes at once. */
export async function openSqlite(file: string, { warn, patienceMs }: Required<StoreOptions>): Promise<Driver> {
  const connection = await configured(file, patienceMs)
  const takeTurn = createTurns()
  const scope = createTransactionScope()
  const { announce, onAppend, stop } = watchForAppends(connection)
  const patiently = <T>(attempt: () => T) => tryFor(patienceMs, file, attempt)

  async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    scope.refuseInside()
    const rows = await takeTurn(() => patiently(() => connection.run<Row>(sql, params)))
    if (mayWrite(sql)) announce()
    return rows
  }

  function begun<T>(begin: string, work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    return takeTurn(async () => {
      await patiently(() => connection.run(begin))
      return allOrNothing(connection, () => scope.enter(driver, runNow, work))
    })
  }

  async function transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T> {
    // A lock asked for only at the first write could be refused after the reads that led to it.
    const result = await begun('begin immediate', work)
    announce()
    return result
  }

  const snapshot: Driver['snapshot'] = async (work) => begun('begin', (tx) => onlyReading(connection, () => work(tx)))

  async function runNow<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    try {
      return connection.run<Row>(sql, params)
    } catch (error) {
      throw sqliteProblem(error, file)
    }
  }

  async function close(): Promise<void> {
    await takeTurn(async () => {
      stop()
      connection.close()
    })
  }

  // Nobody waits long for a transaction here: there is no way to the server and back in it.
  const driver: Driver = { kind: 'sqlite', query, transaction, snapshot, now: clock, onAppend, warn, close }
  return driver
}

/** All processes that use this file share the clock of their machine. */
const clock = async () => new Date()

/** Whether a statement may have changed something. */
const mayWrite = (sql: string) => !/^\s*(select|pragma)\b/i.test(sql)

/** Already the first setting may meet another process that is just making the store. */
async function configured(file: string, patienceMs: number): Promise<SqliteConnection> {
  const connection = connectSqlite(file)
  try {
    for (const setting of SETTINGS) await tryFor(patienceMs, file, () => connection.run(setting))
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

async function allOrNothing<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work()
    connection.run('commit')
    return result
  } catch (error) {
    connection.rollback()
    throw sqliteProblem(error, connection.file)
  }
}

async function onlyReading<T>(connection: SqliteConnection, work: () => Promise<T>): Promise<T> {
  connection.run('pragma query_only = on')
  try {
    connection.run('select 1 from sqlite_schema limit 1') // the moment that is seen is that of the first look
    return await work()
  } finally {
    connection.run('pragma query_only = off')
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

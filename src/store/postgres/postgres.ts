import { Pool, type PoolConfig } from 'pg'
import { maskedAddress } from '../../domain/text/key-shapes.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver, StoreOptions } from '../driver.ts'
import { isOutdated, isSerializationFailure, postgresProblem } from './error.ts'
import type { StatementBatch } from './statement-batch.ts'
import { listenForAppends } from './listen.ts'
import { createSessions } from './session.ts'
import { allAtTheEnd, allOfOneMoment, allOrNothing } from './transaction.ts'
import { createTransactionScope } from '../transaction-scope.ts'

/** How often a statement or transaction that PostgreSQL took back is tried, the first time included. */
const TRIES = 5

/** How often the work of an optimistic transaction is done before it waits for its turn like any other. */
const OPTIMISTIC_TRIES = 3

/** The shared store: many processes on many machines. */
export function openPostgres(address: string, { warn, patienceMs }: Required<StoreOptions>): Driver {
  const problem = (error: unknown) => postgresProblem(error, maskedAddress(address))
  const config = poolConfig(address, patienceMs)
  const pool = new Pool(config)
  // An idle connection that breaks is replaced; who needs the store next meets the trouble in its own call. Unheard, it would end our process.
  pool.on('error', () => undefined)
  const scope = createTransactionScope()
  const borrow = createSessions(pool, problem)
  const connected = <T>(work: (exchange: StatementBatch) => Promise<T>) => again(() => borrow(work))
  const { onAppend, stop } = listenForAppends(config)
  let closing: Promise<void> | undefined

  async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    scope.refuseInside()
    const [rows = []] = await connected((exchange) => exchange([{ sql, params }]))
    return rows as Row[] // the statement decides the shape of its rows, and the caller wrote it
  }

  function begun<T>(how: typeof allOrNothing, work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    return connected((exchange) => how(exchange, (inside) => enter(inside, {}, work)))
  }
  const transaction: Driver['transaction'] = async (work) => begun(allOrNothing, work)
  const snapshot: Driver['snapshot'] = async (work) => begun(allOfOneMoment, work)

  async function optimistic<T>(work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    for (let tried = 0; tried < OPTIMISTIC_TRIES; tried++) {
      try {
        return await connected((exchange) => allAtTheEnd(exchange, (inside, keep) => enter(inside, { keep }, work)))
      } catch (error) {
        if (!isOutdated(error)) throw error
      }
    }
    return transaction(work)
  }

  function enter<T>(inside: Driver['query'], more: Pick<Driver, 'keep'>, work: (tx: Driver) => Promise<T>): Promise<T> {
    return scope.enter({ ...driver, ...more, now: () => clock(inside) }, inside, work)
  }

  function close(): Promise<void> {
    stop()
    closing ??= pool.end()
    return closing
  }

  const driver: Driver = { kind: 'postgres', query, transaction, optimistic, snapshot, now: () => clock(query), onAppend, warn, close }
  return driver
}

async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isSerializationFailure(error)) throw error
    }
  }
}

async function clock(query: Driver['query']): Promise<Date> {
  const [row] = await query<{ now: Date }>('select clock_timestamp() as now')
  if (row === undefined) throw new Problem('internal', 'the store did not tell the time')
  return row.now
}

function poolConfig(address: string, patienceMs: number): PoolConfig {
  return {
    connectionString: address,
    application_name: 'troupe',
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    lock_timeout: patienceMs, // a writer that hangs must not make everyone hang
    idle_in_transaction_session_timeout: 60_000, // nor may a process that was stopped inside a transaction
  }
}

import { Pool, types, type PoolConfig } from 'pg'
import { maskedAddress } from '../../domain/text/key-shapes.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver, StoreOptions } from '../driver.ts'
import { isSerializationFailure, postgresProblem } from './error.ts'
import { listenForAppends } from './listen.ts'
import { createTransactionScope } from '../transaction-scope.ts'
import { WRITER_LOCK } from './names.ts'
import { createTurns } from '../turns.ts'

/** How often a statement or transaction that PostgreSQL took back is tried, the first time included. */
const TRIES = 5

/** The shared store: many processes on many machines. */
export function openPostgres(address: string, { warn, patienceMs }: Required<StoreOptions>): Driver {
  const problem = (error: unknown) => postgresProblem(error, maskedAddress(address))
  const config = poolConfig(address, patienceMs)
  const pool = new Pool(config)
  // An idle connection that breaks is replaced; who needs the store next meets the trouble in its own call. Unheard, it would end our process.
  pool.on('error', () => undefined)
  const scope = createTransactionScope()
  const borrow = createSessions(pool, problem)
  const connected = <T>(work: (query: Driver['query']) => Promise<T>) => again(() => borrow(work))
  const { onAppend, stop } = listenForAppends(config)
  let closing: Promise<void> | undefined

  async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    scope.refuseInside()
    return connected((send) => send<Row>(sql, params))
  }

  function within<T>(how: typeof allOrNothing, work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    return connected((send) => how(send, (inside) => scope.enter({ ...driver, now: () => clock(inside) }, inside, work)))
  }
  const transaction: Driver['transaction'] = async (work) => within(allOrNothing, work)
  const snapshot: Driver['snapshot'] = async (work) => within(allOfOneMoment, work)

  function close(): Promise<void> {
    stop()
    closing ??= pool.end()
    return closing
  }

  const driver: Driver = { kind: 'postgres', query, transaction, snapshot, now: () => clock(query), onAppend, warn, close }
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
    // Counts and sequence numbers are bigint, which pg would hand over as text; none of ours leaves the safe range.
    types: { getTypeParser: (type, format) => (type === types.builtins.INT8 ? Number : types.getTypeParser(type, format)) },
    application_name: 'troupe',
    max: 10,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    lock_timeout: patienceMs, // a writer that hangs must not make everyone hang
    idle_in_transaction_session_timeout: 60_000, // nor may a process that was stopped inside a transaction
  }
}

type Query = Driver['query']

/** As on SQLite, transactions come one after the other: what a transaction has read still holds when it writes. */
const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITER_LOCK})`

/** Everything that is read is of one moment, and nobody waits for it. */
const BEGIN_READING = 'begin isolation level repeatable read read only'

function allOrNothing<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  return toTheEnd(query, BEGIN, work)
}

function allOfOneMoment<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  return toTheEnd(query, BEGIN_READING, work)
}

async function toTheEnd<T>(query: Query, beginning: string, work: (query: Query) => Promise<T>): Promise<T> {
  try {
    await query(beginning)
    const result = await work(query)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => undefined) // a lost connection has rolled back by itself
    throw error
  }
}

/** Lends a connection for a piece of work. One whose line broke is thrown away, so that the next caller gets a fresh one. */
function createSessions(pool: Pool, problem: (error: unknown) => Problem) {
  const told = <Reply>(reply: Promise<Reply>) =>
    reply.catch((error: unknown) => Promise.reject(error instanceof Problem ? error : problem(error)))

  return async function borrow<T>(work: (query: Driver['query']) => Promise<T>): Promise<T> {
    const client = await told(pool.connect())
    const takeTurn = createTurns() // pg wants one statement at a time
    const query: Driver['query'] = async <Row>(sql: string, params?: readonly unknown[]) => {
      const { rows } = await takeTurn(() => told(client.query(sql, params && [...params])))
      return rows as Row[] // the statement decides the shape of its rows, and the caller wrote it
    }
    let broken: Error | undefined
    const onError = (error: Error) => (broken = error)
    client.on('error', onError)
    try {
      return await work(query)
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }
}

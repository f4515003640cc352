import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import { Problem } from '../domain/problem.ts'
import type { Driver, StoreOptions } from './driver.ts'
import { isSerializationFailure, postgresProblem } from './postgres-error.ts'
import { listenForAppends } from './postgres-listen.ts'
import { WRITER_LOCK } from './postgres-names.ts'
import { createTransactionScope } from './transaction-scope.ts'

/** How often a statement or transaction that PostgreSQL took back is tried, the first time included. */
const TRIES = 5

/** Lists of varying length make ever new statements; beyond this many they are not kept prepared. */
const STATEMENTS_AT_MOST = 300

/** PostgreSQL's number for the type bigint. */
const INT8 = 20

/** The shared store: many processes on many machines. */
export function openPostgres(address: string, { warn, patienceMs }: Required<StoreOptions>): Driver {
  const problem = (error: unknown) => postgresProblem(error, withoutPassword(address))
  const config = poolConfig(address, patienceMs)
  const pool = new Pool(config)
  // An idle connection that breaks is replaced; who needs the store next meets the trouble in its own call. Unheard, it would end our process.
  pool.on('error', () => undefined)
  const scope = createTransactionScope()
  const nameOf = createStatementNames()
  const appends = listenForAppends(config)
  let closing: Promise<void> | undefined

  async function query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    scope.refuseInside()
    return onSession((session) => session.run<Row>(sql, params))
  }

  async function transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T> {
    scope.refuseInside()
    return onSession((session) => {
      const outer: Driver = { ...driver, now: () => clock(session.run) }
      return allOrNothing(session, () => scope.enter(outer, session.run, work))
    })
  }

  function onSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return again(() => borrow(pool, problem, nameOf, work))
  }

  function close(): Promise<void> {
    appends.stop()
    closing ??= pool.end()
    return closing
  }

  const driver: Driver = { kind: 'postgres', query, transaction, now: () => clock(query), onAppend: appends.onAppend, warn, close }
  return driver
}

/** One connection while it is ours. Whatever fails on it is told as a Problem. */
interface Session {
  run: Driver['query']
  command(sql: string): Promise<void>
}

/** As on SQLite, transactions come one after the other: what a transaction has read still holds when it writes. */
async function allOrNothing<T>(session: Session, work: () => Promise<T>): Promise<T> {
  try {
    await session.command(`begin isolation level read committed; select pg_advisory_xact_lock(${WRITER_LOCK})`)
    const result = await work()
    await session.command('commit')
    return result
  } catch (error) {
    await session.command('rollback').catch(() => undefined) // a lost connection has rolled back by itself; the first error says why
    throw error
  }
}

/** A connection whose line broke is thrown away, so that the next caller gets a fresh one. */
async function borrow<T>(
  pool: Pool,
  problem: (error: unknown) => Problem,
  nameOf: (sql: string) => string | undefined,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const told = <Reply>(reply: Promise<Reply>) => reply.catch((error: unknown) => Promise.reject(problem(error)))
  const client = await told(pool.connect())
  let broken: Error | undefined
  const onError = (error: Error) => (broken = error)
  client.on('error', onError)
  try {
    return await work({
      run: (sql, params) => told(runPrepared(client, nameOf(sql), sql, params)),
      command: async (sql) => void (await told(client.query(sql))),
    })
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}

/** Prepared once per connection under its name, then only bound and run. */
async function runPrepared<Row>(
  client: PoolClient,
  name: string | undefined,
  text: string,
  params: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query({ text, values: [...params], ...(name === undefined ? {} : { name }) })
  return rows as Row[] // the statement decides the shape of its rows, and the caller wrote it
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

function createStatementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    if (!names.has(sql) && names.size < STATEMENTS_AT_MOST) names.set(sql, `troupe_${names.size + 1}`)
    return names.get(sql)
  }
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
    types: {
      // Counts and sequence numbers are bigint, which pg would hand over as text; none of ours leaves the safe range.
      getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === INT8 ? Number : types.getTypeParser(oid, format)),
    },
  }
}

function withoutPassword(address: string): string {
  return address.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1…')
}

import { Pool, types, type PoolConfig } from 'pg'
import { maskedAddress } from '../../domain/text/key-shapes.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver, StoreOptions } from '../driver.ts'
import { isSerializationFailure, postgresProblem } from './error.ts'
import { listenForAppends } from './listen.ts'
import { createSessions } from './session.ts'
import { allOfOneMoment, allOrNothing } from './transaction.ts'
import { createTransactionScope } from '../transaction-scope.ts'

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

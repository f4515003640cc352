import type { Driver } from '../driver.ts'
import { WRITER_LOCK } from './names.ts'

type Query = Driver['query']

/** As on SQLite, transactions come one after the other: what a transaction has read still holds when it writes. */
const BEGIN = `begin isolation level read committed; select pg_advisory_xact_lock(${WRITER_LOCK})`

/** Everything that is read is of one moment, and nobody waits for it. */
const BEGIN_READING = 'begin isolation level repeatable read read only'

export function allOrNothing<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  return toTheEnd(query, BEGIN, work)
}

export function allOfOneMoment<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
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

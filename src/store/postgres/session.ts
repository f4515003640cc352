import type { Pool } from 'pg'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../driver.ts'
import { createTurns } from '../turns.ts'

/** Lends a connection for a piece of work. One whose line broke is thrown away, so that the next caller gets a fresh one. */
export function createSessions(pool: Pool, problem: (error: unknown) => Problem) {
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

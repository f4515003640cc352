import type { Pool, PoolClient } from 'pg'
import { Problem } from '../../domain/problem.ts'
import { createExchange, type StatementBatch } from './statement-batch.ts'

/** Lends a connection for a piece of work. One whose line broke is thrown away, so that the next caller gets a fresh one. */
export function createSessions(pool: Pool, problem: (error: unknown) => Problem) {
  const exchanges = new WeakMap<PoolClient, StatementBatch>()
  const told = <Reply>(reply: Promise<Reply>) =>
    reply.catch((error: unknown) => Promise.reject(error instanceof Problem ? error : problem(error)))

  function exchangeOver(client: PoolClient): StatementBatch {
    const exchange = exchanges.get(client) ?? createExchange(client)
    exchanges.set(client, exchange)
    return exchange
  }

  return async function borrow<T>(work: (exchange: StatementBatch) => Promise<T>): Promise<T> {
    const client = await told(pool.connect())
    const exchange = exchangeOver(client)
    let broken: Error | undefined
    const onError = (error: Error) => (broken = error)
    client.on('error', onError)
    try {
      return await work((statements) => told(exchange(statements)))
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }
}

import type { Pool, PoolClient } from 'pg'
import type { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'

/** Lists of varying length make ever new statements; beyond this many they are not kept prepared. */
const STATEMENTS_AT_MOST = 300

/** One connection while it is ours. Whatever fails on it is told as a Problem. What is asked before an answer came travels with it. */
export interface Session {
  run: Driver['query']
  command(sql: string): Promise<void>
}

/** Lends a connection for a piece of work. One whose line broke is thrown away, so that the next caller gets a fresh one. */
export function createSessions(pool: Pool, problem: (error: unknown) => Problem) {
  const nameOf = createStatementNames()
  const told = <Reply>(reply: Promise<Reply>) => reply.catch((error: unknown) => Promise.reject(problem(error)))

  return async function borrow<T>(work: (session: Session) => Promise<T>): Promise<T> {
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

function createStatementNames(): (sql: string) => string | undefined {
  const names = new Map<string, string>()
  return (sql) => {
    if (!names.has(sql) && names.size < STATEMENTS_AT_MOST) names.set(sql, `troupe_${names.size + 1}`)
    return names.get(sql)
  }
}

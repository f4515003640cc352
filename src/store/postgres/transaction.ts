import type { Driver } from '../driver.ts'
import type { StatementBatch, Statement } from './statement-batch.ts'
import { WRITER_LOCK } from './names.ts'

const BEGIN = { sql: 'begin isolation level read committed' }
const TAKE_TURN = { sql: `select pg_advisory_xact_lock(${WRITER_LOCK})` }
const COMMIT = { sql: 'commit' }
const ROLLBACK = { sql: 'rollback' }

const BEGIN_READING = { sql: 'begin isolation level repeatable read read only' }

type Query = Driver['query']

/** As on SQLite, transactions come one after the other: what a transaction has read still holds when it writes. */
export async function allOrNothing<T>(exchange: StatementBatch, work: (query: Query) => Promise<T>): Promise<T> {
  return toTheEnd(exchange, [BEGIN, TAKE_TURN], work)
}

/** Everything the work reads is of one moment, and nobody waits for it. */
export async function allOfOneMoment<T>(exchange: StatementBatch, work: (query: Query) => Promise<T>): Promise<T> {
  return toTheEnd(exchange, [BEGIN_READING], work)
}

function toTheEnd<T>(exchange: StatementBatch, beginning: readonly Statement[], work: (query: Query) => Promise<T>): Promise<T> {
  return begun(exchange, beginning, async (send) => {
    const result = await work((sql, params) => send([{ sql, params }]))
    await send([COMMIT])
    return result
  })
}

/** Keeps a statement until the next query or the end of the work. */
export type Keep = (sql: string, params: readonly unknown[]) => void

/**
 * The work reads without its turn. What it wants to write is kept, and travels in one go with the taking of the turn and the
 * commit: nobody ever waits for our process, only for PostgreSQL. A statement that finds no row takes everything back.
 */
export async function allAtTheEnd<T>(exchange: StatementBatch, work: (query: Query, keep: Keep) => Promise<T>): Promise<T> {
  let kept: Statement[] = []

  function writes(): Statement[] {
    const due = kept.length === 0 ? [] : [TAKE_TURN, together(kept)]
    kept = []
    return due
  }

  return begun(exchange, [BEGIN], async (send) => {
    const result = await work(
      (sql, params) => send([...writes(), { sql, params }]),
      (sql, params) => void kept.push({ sql, params }),
    )
    await send([...writes(), COMMIT])
    return result
  })
}

/** One statement for several, each of which has to find a row. */
function together(kept: readonly Statement[]): Statement {
  return { sql: togetherSql(kept), params: kept.flatMap(({ params = [] }) => params) }
}

/** The same few statements meet again and again. */
const texts = new Map<string, string>()

function togetherSql(kept: readonly Statement[]): string {
  const key = kept.map(({ sql }) => sql).join(';')
  const known = texts.get(key)
  if (known !== undefined) return known
  let before = 0
  const parts = kept.map(({ sql, params = [] }, at) => {
    const moved = sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`)
    before += params.length
    return `found_${at} as (${moved})`
  })
  const counts = kept.map((_, at) => `(select count(*) from found_${at})`)
  const text = `with ${parts.join(', ')} select must_find(least(${counts.join(', ')}))`
  texts.set(key, text)
  return text
}

/** Sends statements and gives the rows of the last. */
type Send = <Row>(statements: readonly Statement[]) => Promise<Row[]>

/** Begins when there is something to run, and not before: the beginning travels with it. */
async function begun<T>(exchange: StatementBatch, beginning: readonly Statement[], work: (send: Send) => Promise<T>): Promise<T> {
  let ahead = beginning
  const send: Send = async <Row>(statements: readonly Statement[]) => {
    const sent = [...ahead, ...statements]
    ahead = []
    return (await exchange(sent)).at(-1) as Row[] // the statement decides the shape of its rows, and the caller wrote it
  }
  try {
    return await work(send)
  } catch (error) {
    if (ahead.length === 0) await exchange([ROLLBACK]).catch(() => undefined) // a lost connection has rolled back by itself
    throw error
  }
}

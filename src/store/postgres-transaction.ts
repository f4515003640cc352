import { WRITER_LOCK } from './postgres-names.ts'
import type { Session } from './postgres-session.ts'

const BEGIN = 'begin isolation level read committed'
const TAKE_TURN = `select pg_advisory_xact_lock(${WRITER_LOCK})`

/** As on SQLite, transactions come one after the other: what a transaction has read still holds when it writes. */
export async function allOrNothing<T>(session: Session, work: () => Promise<T>): Promise<T> {
  return begun(session, `${BEGIN}; ${TAKE_TURN}`, async () => {
    const result = await work()
    await session.command('commit')
    return result
  })
}

/** Keeps a statement until the next query or the end of the work. */
export type Keep = (sql: string, params: readonly unknown[]) => void

/**
 * The work reads without its turn. What it wants to write is kept, and travels in one go with the taking of the turn and the
 * commit: nobody ever waits for our process, only for PostgreSQL. A statement that finds no row takes everything back.
 */
export async function allAtTheEnd<T>(session: Session, work: (inside: Session, keep: Keep) => Promise<T>): Promise<T> {
  let kept: Statement[] = []

  function write(): Promise<unknown>[] {
    if (kept.length === 0) return []
    const { sql, params } = together(kept)
    kept = []
    return [session.run(TAKE_TURN), session.run(sql, params)]
  }

  const run: Session['run'] = async (sql, params) => {
    await allSettled(write())
    return session.run(sql, params)
  }
  const keep: Keep = (sql, params) => void kept.push({ sql, params })
  return begun(session, BEGIN, async () => {
    const result = await work({ ...session, run }, keep)
    await allSettled([...write(), session.command('commit')])
    return result
  })
}

interface Statement {
  sql: string
  params: readonly unknown[]
}

/** One statement for several, each of which has to find a row. */
function together(kept: readonly Statement[]): Statement {
  const params: unknown[] = []
  const parts = kept.map(({ sql, params: own }, at) => {
    const before = params.length
    params.push(...own)
    return `found_${at} as (${sql.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`)})`
  })
  const checks = kept.map((_, at) => `must_find((select count(*) from found_${at}))`)
  return { sql: `with ${parts.join(', ')} select ${checks.join(', ')}`, params }
}

/** Begins without waiting for the answer: the first statement of the work travels with it. */
async function begun<T>(session: Session, begin: string, work: () => Promise<T>): Promise<T> {
  const beginning = session.command(begin)
  beginning.catch(() => undefined) // the work fails too, and then we look here why
  try {
    return await work()
  } catch (error) {
    await session.command('rollback').catch(() => undefined) // a lost connection has rolled back by itself; the first error says why
    await beginning
    throw error
  }
}

/** After a failure PostgreSQL refuses what follows it: the first one says why, and none may still be under way. */
async function allSettled(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

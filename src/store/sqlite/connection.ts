import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { messageOf, Problem, whyNoAccess } from '../../domain/problem.ts'

/** How long SQLite itself may wait for a lock. The whole process stands still meanwhile, so the long wait is ours, between timers. */
const BLOCKING_WAIT_MS = 5

/** Lists of varying length make ever new statements; beyond this many the oldest is forgotten. */
const STATEMENTS_AT_MOST = 300

export type SqliteConnection = ReturnType<typeof connectSqlite>

/** One connection to a SQLite file, with its prepared statements. */
export function connectSqlite(file: string) {
  const database = open(file)
  const statements = new Map<string, Prepared>()

  function prepared(sql: string): Prepared {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = prepare(database, sql)
    const [oldest] = statements.keys()
    if (oldest !== undefined && statements.size >= STATEMENTS_AT_MOST) statements.delete(oldest)
    statements.set(sql, statement)
    return statement
  }

  /** Runs one statement; throws what SQLite throws. */
  function run<Row>(sql: string, params: readonly unknown[] = []): Row[] {
    if (!database.isOpen) throw new Problem('internal', `the store ${file} is closed`)
    const { statement, order } = prepared(sql)
    const rows = statement.all(...order.map((number) => params[number - 1] as SQLInputValue)) // SQLite itself refuses what it cannot bind
    return rows.map((row) => ({ ...row }) as Row) // the statement decides the shape of its rows, and the caller wrote it
  }

  /** Ends an unfinished transaction without a trace; nothing to do where a full disk has already ended it. */
  function rollback(): void {
    if (database.isTransaction) database.exec('rollback')
  }

  function close(): void {
    if (database.isOpen) database.close()
  }

  return { file, run, rollback, close }
}

/** A statement and, for each of its places, the number of the parameter that goes there. */
interface Prepared {
  statement: StatementSync
  order: readonly number[]
}

/** SQLite reads $1 as a name, and the first releases of Node 24 read ?1 as one; a bare ? is a place to all of them. */
function prepare(database: DatabaseSync, sql: string): Prepared {
  const order: number[] = []
  const placed = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number))
    return '?'
  })
  return { statement: database.prepare(placed), order }
}

/** Private to its owner from the first byte on: the store holds prompts and histories. */
function open(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    closeSync(openSync(file, 'a', 0o600))
    return new DatabaseSync(file, { timeout: BLOCKING_WAIT_MS })
  } catch (error) {
    const reason = whyNoAccess(error) ?? messageOf(error)
    const details = { store: `sqlite:${file}`, reason }
    throw new Problem('store_failed', `the store ${file} cannot be opened: ${reason}`, { details, cause: error })
  }
}

import { type Connection, type FieldDef, type PoolClient, types } from 'pg'
import { Problem } from '../../domain/problem.ts'
import { createTurns } from '../turns.ts'

/** A statement with the values for its places. */
export interface Statement {
  sql: string
  params?: readonly unknown[] | undefined
}

/**
 * Lets statements travel to the server together, and their answers back; gives the rows of each. pg itself asks for an answer
 * after each statement, and both sides would wake up for every one of them. PostgreSQL passes over what follows one that fails.
 */
export type StatementBatch = (statements: readonly Statement[]) => Promise<unknown[][]>

/** Lists of varying length make ever new statements; beyond this many they are not kept prepared. */
const STATEMENTS_AT_MOST = 300

/** PostgreSQL's number for the type bigint. */
const INT8 = 20

/** The exchanges over one connection, one after the other. A statement is prepared once, and then only bound and run. */
export function createExchange(client: PoolClient): StatementBatch {
  const known = new Map<string, Prepared>()
  const takeTurn = createTurns()
  let names = 0

  function prepared({ sql }: Statement): Prepared {
    const kept = known.get(sql)
    if (kept !== undefined) return kept
    if (known.size >= STATEMENTS_AT_MOST) return { name: '', sent: false, columns: null }
    const made: Prepared = { name: `troupe_${++names}`, sent: false, columns: null }
    known.set(sql, made)
    return made
  }

  async function exchange(statements: readonly Statement[]): Promise<unknown[][]> {
    const bound = statements.map((statement) => ({ ...statement, plan: prepared(statement), values: (statement.params ?? []).map(asText) }))
    try {
      return await answers(client, bound)
    } catch (error) {
      // Nobody knows how far the server got in preparing these; the next time they go under another name.
      for (const { sql, plan } of bound) if (plan.columns === null) known.delete(sql)
      throw error
    }
  }

  return (statements) => takeTurn(() => exchange(statements))
}

/** A statement as the server knows it. What it is not yet known to give back has to be asked for. */
interface Prepared {
  name: string
  sent: boolean
  columns: readonly Column[] | null
}

interface Column {
  name: string
  parse: (text: string) => unknown
}

interface Bound extends Statement {
  plan: Prepared
  values: (string | null)[]
}

/** One exchange, as something that pg lets us send and hands the answers to. */
function answers(client: PoolClient, bound: readonly Bound[]): Promise<unknown[][]> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>()
  const rows: unknown[][] = bound.map(() => [])
  let at = 0
  client.query({
    submit: (connection: Connection) => send(connection, bound),
    handleRowDescription({ fields }: { fields: readonly FieldDef[] }): void {
      const plan = bound[at]?.plan
      if (plan) plan.columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserFor(dataTypeID) }))
    },
    handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
      rows[at]?.push(asRow(bound[at]?.plan.columns ?? [], fields))
    },
    handleCommandComplete(): void {
      const plan = bound[at++]?.plan
      if (plan) plan.columns ??= []
    },
    handleReadyForQuery: () => resolve(rows),
    handleError: reject,
  })
  return promise
}

function send(connection: Connection, bound: readonly Bound[]): void {
  connection.stream.cork()
  for (const { sql, plan, values } of bound) {
    const { name } = plan
    if (!plan.sent || name === '') connection.parse({ name, text: sql, types: [] }, true)
    plan.sent = true
    connection.bind({ statement: name, values }, true)
    if (plan.columns === null) connection.describe({ type: 'P' }, true)
    connection.execute({}, true)
  }
  connection.sync()
  connection.stream.uncork()
}

/** Nothing but what SQLite can bind too. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  throw new Problem('internal', `a ${typeof value} cannot be bound to a statement; only text, numbers and null can`)
}

function asRow(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const text = fields[at] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

/** Counts and sequence numbers are bigint, which pg would hand over as text; none of ours leaves the safe range. */
function parserFor(type: number): Column['parse'] {
  return type === INT8 ? Number : types.getTypeParser(type, 'text')
}

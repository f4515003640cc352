import { Problem } from '../domain/problem.ts'

type Scalar = string | number | null

/** Equal to a value, to one of several, or between two (both ends excluded). */
export type Wanted = Scalar | readonly Scalar[] | { above?: string | number; below?: string | number }

export type Where<Column extends string> = Partial<Record<Column | 'id', Wanted>>

export interface Query<Column extends string> {
  where?: Where<Column>
  /** Columns to sort by, `-` before one for descending; the id settles ties, and is the order where none is given. */
  order?: readonly (Column | 'id' | `-${Column}` | '-id')[]
  limit?: number | undefined
  offset?: number
}

/** The end of a select statement, its values added to `params`; the same text for both databases. */
export function querySql<Column extends string>(columns: readonly string[], query: Query<Column>, params: unknown[]): string {
  const parts = [whereSql(columns, query.where ?? {}, params), orderSql(columns, query.order ?? [])]
  if (query.limit !== undefined || query.offset !== undefined) {
    parts.push(`limit ${bind(params, query.limit ?? Number.MAX_SAFE_INTEGER)} offset ${bind(params, query.offset ?? 0)}`)
  }
  return parts.join(' ')
}

/** The where clause alone, for counting. */
export function whereSql(columns: readonly string[], where: Record<string, unknown>, params: unknown[]): string {
  // A Where holds nothing but wanted values: Object.entries has lost that type.
  const wanted = Object.entries(where) as [string, Wanted][]
  const conditions = wanted.map(([column, value]) => condition(named(columns, column), value, params))
  return conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
}

function condition(column: string, wanted: Wanted, params: unknown[]): string {
  if (wanted === null) return `${column} is null`
  if (isList(wanted)) return anyOf(column, wanted, params)
  if (typeof wanted !== 'object') return `${column} = ${bind(params, wanted)}`
  const above = wanted.above === undefined ? [] : [`${column} > ${bind(params, wanted.above)}`]
  const below = wanted.below === undefined ? [] : [`${column} < ${bind(params, wanted.below)}`]
  return [...above, ...below].join(' and ') || 'true'
}

function anyOf(column: string, wanted: readonly Scalar[], params: unknown[]): string {
  const values = wanted.filter((value) => value !== null)
  const equal = values.length === 0 ? 'false' : `${column} in (${values.map((value) => bind(params, value)).join(', ')})`
  return wanted.includes(null) ? `(${equal} or ${column} is null)` : equal
}

/** Nulls come first on both databases, because each alone would put them elsewhere. */
function orderSql(columns: readonly string[], order: readonly string[]): string {
  const keys = [...order, 'id'].map((key) =>
    key.startsWith('-') ? `${named(columns, key.slice(1))} desc nulls last` : `${named(columns, key)} asc nulls first`,
  )
  return `order by ${keys.join(', ')}`
}

/** A column name goes into the statement as text, so only declared ones may. */
function named(columns: readonly string[], column: string): string {
  if (column === 'id' || columns.includes(column)) return `"${column}"`
  throw new Problem('internal', `there is no column ${column} to search by; only ${['id', ...columns].join(', ')}`)
}

function bind(params: unknown[], value: unknown): string {
  params.push(value)
  return `$${params.length}`
}

/** Array.isArray does not narrow a readonly list. */
function isList(wanted: Wanted): wanted is readonly Scalar[] {
  return Array.isArray(wanted)
}

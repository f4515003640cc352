import type { Driver } from './driver.ts'
import { type Columns, schemaDialects } from './schema-dialects.ts'

/** What migrations are written with: each call gives the statements for the database at hand. */
export interface SchemaBuilder {
  /** The append-only log; numbered without gaps, in the order in which lines become visible. */
  log(): string[]
  /** A table of records, the columns it is searched by (computed by the database from the record itself), and the triggers that log every change. */
  collection(name: string, columns: Columns, indexes: readonly (readonly string[])[], kind?: 'unique'): string[]
  /** More columns to search an existing collection by; `before` names those it has. */
  moreColumns(name: string, before: readonly string[], added: Columns, indexes: readonly (readonly string[])[]): string[]
}

export function createSchemaBuilder(kind: Driver['kind']): SchemaBuilder {
  const dialect = schemaDialects[kind]
  const { text, integer } = dialect.types
  const searched = ([column, type]: [string, 'text' | 'integer']) => `"${column}" ${dialect.types[type]} ${dialect.computed(column)}`

  function log(): string[] {
    const table = `create table "log" (
      seq ${integer} primary key ${dialect.logNumber},
      at ${text} not null default ${dialect.timestamp},
      topic ${text} not null,
      subject ${text} not null,
      data text not null
    )`
    return [...dialect.beforeLog, table]
  }

  function collection(name: string, columns: Columns, indexes: readonly (readonly string[])[], unique?: 'unique'): string[] {
    const own = [`id ${text} primary key not null`, `version ${integer} not null default 1`, 'data text not null']
    const table = `create table "${name}" (${[...own, ...Object.entries(columns).map(searched)].join(', ')})`
    const made = indexes.map((index) => createIndex(name, index, unique === 'unique'))
    return [table, ...dialect.compute(name, columns), ...made, ...dialect.logChanges(name, Object.keys(columns))]
  }

  function moreColumns(name: string, before: readonly string[], added: Columns, indexes: readonly (readonly string[])[]): string[] {
    const columns = Object.entries(added).map((column) => `alter table "${name}" add column ${searched(column)}`)
    const made = indexes.map((index) => createIndex(name, index, false))
    const logged = dialect.logChanges(name, [...before, ...Object.keys(added)])
    // Not before the records that are there have got their columns: that is no change of them.
    return [...dialect.stopLogging(name), ...columns, ...dialect.compute(name, added), ...dialect.fill(name), ...made, ...logged]
  }

  /** Every index ends with the id, so that a page of a list needs no sorting. */
  function createIndex(table: string, columns: readonly string[], unique: boolean): string {
    const keys = (unique ? columns : [...columns, 'id']).map((key) => dialect.indexKey(key))
    return `create ${unique ? 'unique index' : 'index'} "${[table, ...columns].join('_')}" on "${table}" (${keys.join(', ')})`
  }

  return { log, collection, moreColumns }
}

import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
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
  const { schema } = compiler(kind)
  const { text, integer } = dialect.types

  function log(): string[] {
    const table = schema
      .createTable('log')
      .addColumn('seq', sql.raw(integer), (column) => dialect.logNumber(column.primaryKey()))
      .addColumn('at', sql.raw(text), (column) => column.notNull().defaultTo(sql.raw(dialect.timestamp)))
      .addColumn('topic', sql.raw(text), (column) => column.notNull())
      .addColumn('subject', sql.raw(text), (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
    return [...dialect.beforeLog, table.compile().sql]
  }

  function collection(name: string, columns: Columns, indexes: readonly (readonly string[])[], unique?: 'unique'): string[] {
    let table = schema
      .createTable(name)
      .addColumn('id', sql.raw(text), (column) => column.primaryKey().notNull())
      .addColumn('version', sql.raw(integer), (column) => column.notNull().defaultTo(1))
      .addColumn('data', 'text', (column) => column.notNull())
    for (const [column, type] of Object.entries(columns)) {
      table = table.addColumn(column, sql.raw(dialect.types[type]), (definition) => dialect.computed(definition, column))
    }
    const made = indexes.map((index) => createIndex(name, index, unique === 'unique'))
    return [table.compile().sql, ...dialect.compute(name, columns), ...made, ...dialect.logChanges(name, Object.keys(columns))]
  }

  function moreColumns(name: string, before: readonly string[], added: Columns, indexes: readonly (readonly string[])[]): string[] {
    const columns = Object.entries(added).map(([column, type]) => {
      const table = schema.alterTable(name)
      return table.addColumn(column, sql.raw(dialect.types[type]), (definition) => dialect.computed(definition, column)).compile().sql
    })
    const made = indexes.map((index) => createIndex(name, index, false))
    const logged = dialect.logChanges(name, [...before, ...Object.keys(added)])
    // Not before the records that are there have got their columns: that is no change of them.
    return [...dialect.stopLogging(name), ...columns, ...dialect.compute(name, added), ...dialect.fill(name), ...made, ...logged]
  }

  /** Every index ends with the id, so that a page of a list needs no sorting. */
  function createIndex(table: string, columns: readonly string[], unique: boolean): string {
    const index = schema.createIndex([table, ...columns].join('_')).on(table)
    const keys = unique ? columns : [...columns, 'id']
    const made = index.expression(sql.raw(keys.map((key) => dialect.indexKey(key)).join(', ')))
    return (unique ? made.unique() : made).compile().sql
  }

  return { log, collection, moreColumns }
}

/** Kysely as a writer of statements only: they are run by our own driver, inside its transaction. */
function compiler(kind: Driver['kind']): Kysely<unknown> {
  return new Kysely({ dialect: { createDriver: () => new DummyDriver(), ...kyselyDialects[kind] } })
}

const kyselyDialects = {
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}

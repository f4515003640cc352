import type { Driver } from './driver.ts'
import { clockSql } from './clock-sql.ts'
import { searchSchema } from './search-schema.ts'
import { LOG_CHANNEL, WRITER_LOCK } from './postgres/names.ts'

/** Where the two databases say the same thing in different words. */
interface SchemaDialect {
  types: Record<'text' | 'integer', string>
  /** The store's clock as an ISO timestamp. */
  timestamp: string
  /** What must exist before the log. */
  beforeLog: string[]
  /** How the lines of the log get their numbers. */
  logNumber: string
  /** What makes a column be computed from the record, so that nothing is written twice. */
  computed(field: string): string
  /** What computes columns where the database cannot say it with the column itself. */
  compute(table: string, columns: Columns): string[]
  /** Gives computed columns to the records that are there already. */
  fill(table: string): string[]
  /** Nulls first, the order in which lists are asked for. */
  indexKey(column: string): string
  /** Triggers that append a log line for every row that is added, replaced or removed, by whatever statement. */
  logChanges(table: string, columns: readonly string[]): string[]
  /** Takes those triggers away, to make room for new ones. */
  stopLogging(table: string): string[]
}

/** The columns of a table and what they hold. */
type Columns = Readonly<Record<string, 'text' | 'integer'>>

const events = [
  { op: 'add', event: 'insert', row: 'new' },
  { op: 'replace', event: 'update', row: 'new' },
  { op: 'remove', event: 'delete', row: 'old' },
] as const

const sqlite: SchemaDialect = {
  types: { text: 'text', integer: 'integer' },
  timestamp: `(${clockSql.sqlite})`,
  beforeLog: [],
  logNumber: '', // an integer primary key counts by itself, and one writer at a time leaves no gaps
  computed: (field) => `generated always as (data ->> '$.${field}')`,
  compute: () => [],
  fill: () => [],
  indexKey: (column) => `"${column}"`,
  logChanges: (table, columns) =>
    events.map(
      ({ op, event, row }) => `
        create trigger "${table}_${op}" after ${event} on "${table}" begin
          insert into log (topic, subject, data)
          values ('${table}', ${row}.id, json_object('op', '${op}', ${logged(columns, row)}));
        end`,
    ),
  stopLogging: (table) => events.map(({ op }) => `drop trigger "${table}_${op}"`),
}

const postgres: SchemaDialect = {
  // "C" compares byte by byte, as SQLite does; the language of the server must not decide the order of a list.
  types: { text: 'text collate "C"', integer: 'bigint' },
  timestamp: clockSql.postgres,
  beforeLog: [
    // One writer at a time, from its first statement to its commit: so numbers have no gaps and appear in order, and two
    // writers can never wait for each other.
    `create function await_turn() returns trigger language plpgsql as $$
       begin
         perform pg_advisory_xact_lock(${WRITER_LOCK});
         return null;
       end $$`,
    `create function next_log_number() returns bigint language plpgsql as $$
       begin
         perform pg_advisory_xact_lock(${WRITER_LOCK});
         perform pg_notify('${LOG_CHANNEL}', '');
         return (select coalesce(max(seq), 0) + 1 from log);
       end $$`,
  ],
  logNumber: 'default next_log_number()',
  computed: () => '',
  // Generated columns would read the whole record once for each of them, and a write would take twice as long.
  compute: (table, columns) => {
    const names = Object.keys(columns)
    const trigger = [table, 'from_data', ...names.slice(0, 1)].join('_')
    return [
      `create function "${trigger}"() returns trigger language plpgsql as $$
         begin
           select ${names.map((name) => `found."${name}"`).join(', ')} into ${names.map((name) => `new."${name}"`).join(', ')}
           from json_to_record(new.data::json) as found (${names.map((name) => `"${name}" ${postgres.types[columns[name] ?? 'text']}`).join(', ')});
           return new;
         end $$`,
      `create trigger "${trigger}" before insert or update of data on "${table}" for each row execute function "${trigger}"()`,
    ]
  },
  fill: (table) => [`update "${table}" set data = data`],
  indexKey: (column) => `"${column}" nulls first`,
  logChanges: (table, columns) => [
    `create trigger "${table}_turn" before insert or update or delete on "${table}" for each statement execute function await_turn()`,
    ...events.flatMap(({ op, event, row }) => [
      `create function "log_${table}_${op}"() returns trigger language plpgsql as $$
         begin
           insert into log (topic, subject, data)
           values ('${table}', ${row}.id, json_build_object('op', '${op}', ${logged(columns, row)})::text);
           return null;
         end $$`,
      `create trigger "${table}_${op}" after ${event} on "${table}" for each row execute function "log_${table}_${op}"()`,
    ]),
  ],
  stopLogging: (table) => [
    `drop trigger "${table}_turn" on "${table}"`,
    ...events.map(({ op }) => `drop function "log_${table}_${op}" cascade`),
  ],
}

function logged(columns: readonly string[], row: 'new' | 'old'): string {
  return ['version', ...columns].map((column) => `'${column}', ${row}."${column}"`).join(', ')
}

const schemaDialects = { sqlite, postgres }

/** What migrations are written with: each call gives the statements for the database at hand. */
export interface SchemaBuilder {
  /** The append-only log; numbered without gaps, in the order in which lines become visible. */
  log(): string[]
  /** A table of records, the columns it is searched by (computed by the database from the record itself), and the triggers that log every change. */
  collection(name: string, columns: Columns, indexes: readonly (readonly string[])[], kind?: 'unique'): string[]
  /** More columns to search an existing collection by; `before` names those it has. */
  moreColumns(name: string, before: readonly string[], added: Columns, indexes: readonly (readonly string[])[]): string[]
  /** What makes everything that was said findable by its words. */
  search(): string[]
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
    const triggers = dialect.logChanges(name, [...before, ...Object.keys(added)])
    // Not before the records that are there have got their columns: that is no change of them.
    return [...dialect.stopLogging(name), ...columns, ...dialect.compute(name, added), ...dialect.fill(name), ...made, ...triggers]
  }

  /** Every index ends with the id, so that a page of a list needs no sorting. */
  function createIndex(table: string, columns: readonly string[], unique: boolean): string {
    const keys = (unique ? columns : [...columns, 'id']).map((key) => dialect.indexKey(key))
    return `create ${unique ? 'unique index' : 'index'} "${[table, ...columns].join('_')}" on "${table}" (${keys.join(', ')})`
  }

  return { log, collection, moreColumns, search: () => searchSchema(kind) }
}

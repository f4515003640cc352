import type { Driver } from './driver.ts'

/** Where the words of a record are: what it is called, and what is said in it. `$` stands for its JSON. */
interface Searched {
  table: string
  name: readonly string[]
  body: readonly string[]
  /** Only of those from these. */
  from?: readonly string[]
}

const searched: readonly Searched[] = [
  { table: 'entries', name: [], body: ['text'], from: ['user', 'assistant'] },
  { table: 'chats', name: ['title'], body: [] },
  { table: 'tasks', name: ['id', 'description'], body: ['done_when'] },
  { table: 'jobs', name: ['id', 'description'], body: ['objective', 'details'] },
  { table: 'workflow_runs', name: ['workflow_id'], body: [] },
]

/** Longer texts are found by their beginning: PostgreSQL indexes no more than a megabyte of one. */
const INDEXED_CHARS = 200_000

/** The statements that make everything said findable by its words, and keep it so with every write. */
export function searchSchema(kind: Driver['kind']): string[] {
  return [...own[kind], ...searched.flatMap((from) => [...kept[kind](from), fill(kind, from)])]
}

const own: Record<Driver['kind'], string[]> = {
  sqlite: [
    `create table "search_texts" (number integer primary key, topic text not null, id text not null, name text not null, body text not null, unique (topic, id))`,
    `create virtual table "search_index" using fts5(name, body, content='search_texts', content_rowid='number', tokenize='unicode61 remove_diacritics 2', prefix='2 3 4')`,
    `create trigger "search_texts_add" after insert on "search_texts" begin ${indexed('new')} end`,
    `create trigger "search_texts_replace" after update on "search_texts" begin ${unindexed('old')} ${indexed('new')} end`,
    `create trigger "search_texts_remove" after delete on "search_texts" begin ${unindexed('old')} end`,
  ],
  postgres: [
    `create table "search_texts" (
       number bigint generated always as identity primary key,
       topic text collate "C" not null, id text collate "C" not null, name text not null, body text not null,
       names tsvector generated always as (${wordsOf('name')}) stored,
       words tsvector generated always as (${wordsOf('body')}) stored,
       unique (topic, id))`,
    `create index "search_texts_names" on "search_texts" using gin (names)`,
    `create index "search_texts_words" on "search_texts" using gin (words)`,
  ],
}

function indexed(row: string): string {
  return `insert into search_index (rowid, name, body) values (${row}.number, ${row}.name, ${row}.body);`
}

function unindexed(row: string): string {
  return `insert into search_index (search_index, rowid, name, body) values ('delete', ${row}.number, ${row}.name, ${row}.body);`
}

/** Signs part words, as on SQLite: PostgreSQL alone would take a path for one word. */
function wordsOf(column: string): string {
  return `to_tsvector('simple', regexp_replace(left(${column}, ${INDEXED_CHARS}), '[!-/:-@[-\`{-~]+', ' ', 'g'))`
}

const kept: Record<Driver['kind'], (from: Searched) => string[]> = {
  sqlite: (from) => [
    `create trigger "${from.table}_search_add" after insert on "${from.table}" when ${counts('sqlite', from, 'new')} begin ${written('sqlite', from)} end`,
    `create trigger "${from.table}_search_replace" after update of data on "${from.table}" when ${counts('sqlite', from, 'new')} begin ${written('sqlite', from)} end`,
    `create trigger "${from.table}_search_remove" after delete on "${from.table}" begin delete from search_texts where topic = '${from.table}' and id = old.id; end`,
  ],
  postgres: (from) => [
    `create function "search_${from.table}_write"() returns trigger language plpgsql as $$
       begin
         if ${counts('postgres', from, 'new')} then ${written('postgres', from)} end if;
         return null;
       end $$`,
    `create trigger "${from.table}_search_write" after insert or update of data on "${from.table}" for each row execute function "search_${from.table}_write"()`,
    `create function "search_${from.table}_remove"() returns trigger language plpgsql as $$
       begin
         delete from search_texts where topic = '${from.table}' and id = old.id;
         return null;
       end $$`,
    `create trigger "${from.table}_search_remove" after delete on "${from.table}" for each row execute function "search_${from.table}_remove"()`,
  ],
}

/** A record is written often and its words change rarely: the same words are not indexed again. */
function written(kind: Driver['kind'], { table, name, body }: Searched): string {
  return `insert into search_texts (topic, id, name, body)
    values ('${table}', new.id, ${textOf(kind, name, 'new')}, ${textOf(kind, body, 'new')})
    on conflict (topic, id) do update set name = excluded.name, body = excluded.body
    where search_texts.name <> excluded.name or search_texts.body <> excluded.body;`
}

/** What is there already is findable from the start. */
function fill(kind: Driver['kind'], from: Searched): string {
  const { table, name, body } = from
  return `insert into search_texts (topic, id, name, body)
    select '${table}', id, ${textOf(kind, name, table)}, ${textOf(kind, body, table)} from "${table}" where ${counts(kind, from, table)} order by id`
}

function counts(kind: Driver['kind'], { from }: Searched, row: string): string {
  return from === undefined ? 'true' : `${field(kind, 'from', row)} in (${from.map((value) => `'${value}'`).join(', ')})`
}

function textOf(kind: Driver['kind'], fields: readonly string[], row: string): string {
  return fields.map((name) => `coalesce(${field(kind, name, row)}, '')`).join(` || ' ' || `) || `''`
}

function field(kind: Driver['kind'], name: string, row: string): string {
  return kind === 'sqlite' ? `${row}.data ->> '$.${name}'` : `(${row}.data::json ->> '${name}')`
}

import { createHash } from 'node:crypto'
import { chmodSync, closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { messageOf } from '../domain/problem.ts'

/** What is kept of one workspace: contents by their hash, the tree as it was seen last, and every checkpoint. Only its owner can read it. */
export type CheckpointFile = ReturnType<typeof openCheckpointFile>

const tables = `
  create table if not exists meta (key text primary key, value text not null) without rowid;
  create table if not exists content (hash text primary key, size integer not null, coding integer not null, data blob not null) without rowid;
  create table if not exists tree (path blob primary key, mark text not null, state text not null, hash text) without rowid;
  create table if not exists left_out (path blob primary key) without rowid;
  create table if not exists pending (id text primary key, call text not null) without rowid;
  create table if not exists checkpoint (
    number integer primary key autoincrement, thread_id text not null, run_id text not null, call_id text not null, at text not null,
    kind text not null, "to" integer, done integer not null, unkept text not null);
  create index if not exists checkpoint_thread on checkpoint (thread_id, number);
  create table if not exists change (
    number integer not null, path blob not null, before text, after text, before_hash text, after_hash text,
    primary key (number, path)) without rowid;
`

/** Where the file of a workspace lies. */
export function checkpointFileOf(folder: string, root: string): string {
  return join(folder, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.sqlite`)
}

/** Opens it, or makes it. One that is damaged is set aside: what can no longer be undone must not keep anyone from working. */
export function openCheckpointFile(folder: string, root: string) {
  const file = checkpointFileOf(folder, root)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const database = openOrSetAside(file)
  database.prepare(`insert into meta values ('root', ?) on conflict do nothing`).run(root)
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()

  function prepared(sql: string) {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  /** All of it or nothing, also for who kills us meanwhile. */
  function transaction<Result>(work: () => Result): Result {
    database.exec('begin immediate')
    try {
      const result = work()
      database.exec('commit')
      return result
    } catch (error) {
      if (database.isTransaction) database.exec('rollback')
      throw error
    }
  }

  function hasContent(hash: string): boolean {
    return prepared('select 1 from content where hash = ?').get(hash) !== undefined
  }

  /** Keeps a content; says how many bytes that took. */
  function addContent(hash: string, content: Buffer): number {
    const packed = content.length < SMALL_BYTES ? content : zstdCompressSync(content)
    const coding = packed.length < content.length ? 1 : 0
    const data = coding === 1 ? packed : content
    prepared('insert into content values (?, ?, ?, ?) on conflict do nothing').run(hash, content.length, coding, data)
    return data.length
  }

  function contentOf(hash: string): Buffer | null {
    const row = prepared('select coding, data from content where hash = ?').get(hash)
    if (row === undefined) return null
    const data = Buffer.from(row['data'] as Uint8Array)
    return row['coding'] === 1 ? zstdDecompressSync(data) : data
  }

  return { file, prepared, transaction, hasContent, addContent, contentOf, close: () => database.close() }
}

/** Smaller ones grow when they are packed. */
const SMALL_BYTES = 100

function openOrSetAside(file: string): DatabaseSync {
  try {
    return opened(file)
  } catch (error) {
    if (!/malformed|not a database/.test(messageOf(error))) throw error
    renameSync(file, `${file}.damaged`)
    for (const companion of ['-wal', '-shm']) rmSync(`${file}${companion}`, { force: true })
    return opened(file)
  }
}

function opened(file: string): DatabaseSync {
  closeSync(openSync(file, 'a', 0o600))
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
  const database = new DatabaseSync(file, { timeout: WAIT_MS })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma auto_vacuum = incremental')
  database.exec(tables)
  return database
}

/** Another process keeps something there meanwhile. */
const WAIT_MS = 30_000

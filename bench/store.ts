import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import type { Driver } from '../src/store/driver.ts'
import { testRun } from '../src/store/test-run.ts'
import { log } from '../src/store/log.ts'
import { openStore } from '../src/store/open.ts'
import { runs } from '../src/store/tables.ts'
import { startTestServer } from '../src/store/postgres/test-postgres-server.ts'
import { type Bench, median, quickest, type Row } from './report/bench.ts'

const WRITES = 500
const POSTGRES_WRITES = 300

export const bench: Bench = { name: 'store', run: runStoreBench }

/** Logged writes against the same rows written barely, opening, and how soon a tail hears of a line of another connection. */
async function runStoreBench(t: Cleanup): Promise<Row[]> {
  return [...(await sqliteRows(await testFolder(t))), ...(await postgresRows(t))]
}

async function sqliteRows(folder: string): Promise<Row[]> {
  const address = `sqlite:${join(folder, 'troupe.db')}`
  const store = await openStore(address)
  const bare = bareWriter(join(folder, 'bare.db'))
  const best = await quickest(20, { ours: () => addRuns(store, WRITES), floor: () => bare.insert(WRITES) })
  const open = await quickest(5, { ours: async () => (await openStore(address)).close() })
  const heard = await tailDelay(address, store)
  bare.close()
  await store.close()
  const ours = perSecond(WRITES, best.ours)
  return [
    { what: 'logged writes on SQLite', unit: 'per s', ours, floor: perSecond(WRITES, best.floor), budget: { at_least: 0.2 } },
    { what: 'logged writes on SQLite', unit: 'per s', ours, budget: { at_least: 5_000 } },
    { what: 'opening an up-to-date SQLite store', unit: 'ms', ours: open.ours, budget: { at_most: 10 } },
    { what: 'a tail hears another process, SQLite, worst of 20', unit: 'ms', ours: Math.max(...heard), budget: { at_most: 50 } },
  ]
}

async function postgresRows(t: Cleanup): Promise<Row[]> {
  const server = await startTestServer('durable')
  t.after(() => server.stop())
  const store = await openStore(server.address('postgres'))
  t.after(() => store.close())
  await store.query('create table bare (id text primary key, data text not null)')
  const bareInsert = 'insert into bare (id, data) values ($1, $2)'
  const best = await quickest(5, {
    ours: () => addRuns(store, POSTGRES_WRITES),
    floor: async () => {
      for (const run of someRuns(POSTGRES_WRITES)) await store.query(bareInsert, [run.id, JSON.stringify(run)])
    },
    crowd: () => Promise.all(someRuns(POSTGRES_WRITES).map((run) => runs.add(store, run))),
  })
  const heard = await tailDelay(server.address('postgres'), store)
  const floor = perSecond(POSTGRES_WRITES, best.floor)
  const budget = { at_least: 0.3 }
  return [
    { what: 'logged writes on PostgreSQL, one by one', unit: 'per s', ours: perSecond(POSTGRES_WRITES, best.ours), floor, budget },
    { what: 'logged writes on PostgreSQL, ten at once', unit: 'per s', ours: perSecond(POSTGRES_WRITES, best.crowd), floor, budget },
    { what: 'a tail hears another process, PostgreSQL, median of 20', unit: 'ms', ours: median(heard), budget: { at_most: 50 } },
  ]
}

/** The floor: the same JSON into a table with a primary key, each row its own transaction, nothing else. */
function bareWriter(file: string) {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; create table bare (id text primary key, data text not null)')
  const insert = database.prepare('insert into bare (id, data) values (?, ?)')
  return {
    insert: (count: number) => {
      for (const run of someRuns(count)) insert.run(run.id, JSON.stringify(run))
    },
    close: () => database.close(),
  }
}

async function addRuns(store: Driver, count: number): Promise<void> {
  for (const run of someRuns(count)) await runs.add(store, run)
}

let made = 0
function someRuns(count: number) {
  const example = testRun()
  return Array.from({ length: count }, () => ({ ...example, id: `run_${++made}` }))
}

/** Milliseconds from the start of an append on one connection to its arrival at a tail on another, 20 times. */
async function tailDelay(address: string, writer: Driver): Promise<number[]> {
  const reader = await openStore(address)
  const stop = new AbortController()
  const delays: number[] = []
  const sentAt = new Map<string, number>()
  const listening = (async () => {
    for await (const line of log.tail(reader, await log.last(writer), stop.signal))
      delays.push(performance.now() - (sentAt.get(line.subject) ?? 0))
  })()
  await log.append(writer, { topic: 'bench', subject: 'first', data: null })
  while (delays.length < 1) await sleep(5)
  delays.pop()
  for (let at = 0; at < 20; at++) {
    await sleep(20 + at * 10) // quiet enough at the end for the reader to be idle
    sentAt.set(`line_${at}`, performance.now())
    await log.append(writer, { topic: 'bench', subject: `line_${at}`, data: null })
  }
  while (delays.length < 20) await sleep(5)
  stop.abort()
  await listening
  await reader.close()
  return delays
}

function perSecond(count: number, ms: number): number {
  return Math.round((count / ms) * 1_000)
}

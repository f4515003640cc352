import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Claimed, seedBoard, WARM_BOARD, WARM_UP } from './board/claims.ts'
import { openStore } from '../src/store/open.ts'
import { testFolder, type Cleanup } from '../src/sandbox/test-folder.ts'
import { startTestServer } from '../src/store/postgres/test-postgres-server.ts'
import { boardViolations } from '../src/domain/board/validate.ts'
import { type Bench, quickest, type Row } from './report/bench.ts'

const PROCESSES = 8

/** Boards of three sizes: small ones are used up in turn, half of them by one process and half by eight. */
const PLANS = [
  { size: 10, boards: 60, each: 1 },
  { size: 1_000, boards: 2, each: 110 },
  { size: 100_000, boards: 1, each: 150 },
] as const

/** Claims on a server that waits for its disk. */
const DURABLE = 1_000

export const bench: Bench = { name: 'board', run: runBoardBench }

/** Claims on boards of three sizes by one and by eight processes on both databases, and the validator on a long chain. */
async function runBoardBench(t: Cleanup): Promise<Row[]> {
  const folder = await testFolder(t)
  const server = await startTestServer('fast')
  t.after(() => server.stop())
  return [
    ...(await claimRows('SQLite', `sqlite:${join(folder, 'troupe.db')}`)),
    ...(await claimRows(FAST_POSTGRES, server.address('postgres'))),
    await durableRow(t),
    await validatorRow(),
  ]
}

/** As the tests start it: what is compared is the work of a claim, not the disk of this machine. */
const FAST_POSTGRES = 'PostgreSQL that does not wait for its disk'

/** What a fleet of ten thousand coders needs several times over; on SQLite it is the promise of the design. */
const CLAIMS_PER_SECOND = { SQLite: 1_000, [FAST_POSTGRES]: 100 }

async function claimRows(database: keyof typeof CLAIMS_PER_SECOND, address: string): Promise<Row[]> {
  const store = await openStore(address)
  await seedBoard(store, WARM_BOARD, WARM_UP * (PROCESSES + 1) * PLANS.length)
  const alone: Rate[] = []
  const crowd: Rate[] = []
  for (const { size, boards, each } of PLANS) {
    const ids = Array.from({ length: boards }, (_, at) => `board_${size}_${at}`)
    for (const id of ids) await seedBoard(store, id, size)
    alone.push(await claims(address, 1, each * PROCESSES, ids.slice(0, Math.ceil(boards / 2))))
    crowd.push(await claims(address, PROCESSES, each, ids.slice(Math.floor(boards / 2))))
  }
  await store.close()
  const at = (rates: readonly Rate[], plan: number) => rates[plan]?.perSecond ?? 0
  const flat = { unit: 'per s', budget: { at_least: 0.5 } } as const
  const fast = { unit: 'per s', budget: { at_least: CLAIMS_PER_SECOND[database] } } as const
  return [
    { what: `claims on ${database}, 1 process, 100 000 tasks against 10`, ours: at(alone, 2), floor: at(alone, 0), ...flat },
    { what: `claims on ${database}, 8 processes, 100 000 tasks against 10`, ours: at(crowd, 2), floor: at(crowd, 0), ...flat },
    { what: `claims on ${database}, 8 processes, 1 000 tasks`, ours: at(crowd, 1), ...fast },
    { what: `claims on ${database}, 8 processes, 100 000 tasks`, ours: at(crowd, 2), ...fast },
    {
      what: `processor time of a claim on ${database} in each of 8 processes`,
      unit: 'µs',
      ours: crowd[2]?.cpuUs ?? Infinity,
      budget: { at_most: database === 'SQLite' ? 1_000 : 5_000 },
    },
  ]
}

/** A server that waits for its disk at each commit, as a real one does: what one process can make of it depends on the disk. */
async function durableRow(t: Cleanup): Promise<Row> {
  const server = await startTestServer('durable')
  t.after(() => server.stop())
  const address = server.address('postgres')
  const store = await openStore(address)
  await seedBoard(store, WARM_BOARD, WARM_UP)
  await seedBoard(store, 'durable', DURABLE)
  const { perSecond } = await claims(address, 1, DURABLE, ['durable'])
  await store.close()
  const what = 'claims on PostgreSQL that waits for its disk, 1 process, against a row barely read and written'
  return { what, unit: 'per s', ours: perSecond, floor: await bareRate(address), budget: { at_least: 0.05 } }
}

/** The floor: a row read and written back, each time on a way of its own to the server, as a claim needs two. */
async function bareRate(address: string): Promise<number> {
  const client = new Client(address)
  await client.connect()
  await client.query('create table bare (id integer primary key, data text not null)')
  await client.query(`insert into bare select id, repeat('x', 1000) from generate_series(1, ${DURABLE}) id`)
  let tookMs = 0
  for (let id = 1 - WARM_UP; id <= DURABLE; id++) {
    const started = performance.now()
    const { rows } = await client.query({ name: 'read', text: 'select data from bare where id = $1', values: [Math.abs(id)] })
    const values = [Math.abs(id), `${rows[0]?.data ?? ''}`]
    await client.query({ name: 'write', text: 'update bare set data = $2 where id = $1', values })
    if (id > 0) tookMs += performance.now() - started
  }
  await client.end()
  return Math.round((DURABLE / tookMs) * 1_000)
}

interface Rate {
  perSecond: number
  cpuUs: number
}

/** From the moment all processes are let go to the end of the last; a task claimed twice stops the bench. */
async function claims(address: string, processes: number, each: number, boards: readonly string[]): Promise<Rate> {
  const children = Array.from({ length: processes }, () =>
    fork(join(import.meta.dirname, 'board/claims.ts'), [address, String(each), ...boards]),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const started = performance.now()
  const claimed = await Promise.all(children.map(letGo))
  const tookMs = performance.now() - started
  const got = claimed.flatMap(({ tasks }) => tasks)
  const wanted = processes * each * boards.length
  if (new Set(got).size !== got.length) throw new Error('a task was claimed twice')
  if (got.length !== wanted) throw new Error(`${wanted - got.length} of ${wanted} claims found nothing`)
  const cpuMs = claimed.reduce((sum, one) => sum + one.cpuMs, 0)
  return { perSecond: Math.round((got.length / tookMs) * 1_000), cpuUs: (cpuMs / got.length) * 1_000 }
}

async function letGo(child: ChildProcess): Promise<Claimed> {
  const answer = once(child, 'message')
  child.send('go')
  const [claimed] = await answer
  return claimed as Claimed // what a process in board-claims.ts sends
}

async function validatorRow(): Promise<Row> {
  const now = new Date()
  const chain = Array.from({ length: 1_000 }, (_, at) => ({
    id: `task-${at}`,
    status: 'UNCLAIMED',
    spec_ref: 'spec.md',
    done_when: 'it returns 200',
    depends_on: at === 0 ? [] : [`task-${at - 1}`],
    history: [],
  }))
  const document = {
    version: 1,
    goal: { id: 'g', status: 'IN_PROGRESS' },
    tasks: chain,
    agents: {},
    config: {},
    sprint: { goal_ref: 'g', status: 'IN_PROGRESS', timeline: { started: now.toISOString() } },
  }
  const { ours } = await quickest(5, {
    ours: () => {
      const found = boardViolations(document, { now, specExists: null, folderExists: null })
      if (found.length > 0) throw new Error(`the chain should be valid: ${found[0]?.message}`)
    },
  })
  return { what: 'validating a chain of 1 000 tasks', unit: 'ms', ours, budget: { at_most: 500 } }
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { claimAll, seedBoard, someCoders } from './board-claims.ts'
import { openStore } from '../src/store/open.ts'
import { startTestServer } from '../src/store/test-postgres-server.ts'
import { boardViolations } from '../src/domain/board-validate.ts'
import { type Bench, quickest, type Row } from './bench.ts'

const PROCESSES = 8
const CLAIMS = 200
const SIZES = [10, 1_000, 100_000] as const

export const bench: Bench = { name: 'board', run: runBoardBench }

/** Claims on boards of three sizes by one and by eight processes on both databases, and the validator on a long chain. */
export async function runBoardBench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-bench-'))
  const server = await startTestServer('fast')
  try {
    return [
      ...(await claimRows('SQLite', `sqlite:${join(folder, 'troupe.db')}`)),
      ...(await claimRows('PostgreSQL', server.address('postgres'))),
      await validatorRow(),
    ]
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function claimRows(database: string, address: string): Promise<Row[]> {
  const alone: number[] = []
  const crowd: number[] = []
  for (const size of SIZES) {
    const board = await seedBoard(address, size)
    alone.push(await claimsAlone(address, board, Math.min(CLAIMS, size / 2)))
    crowd.push(await claimsTogether(address, board, Math.min(CLAIMS * PROCESSES, size / 2)))
  }
  const [small = 0, , large = 0] = alone
  const flat = 'one process, 100 000 tasks against 10'
  return [
    { what: `claims on ${database}, ${flat}`, unit: 'per s', ours: large, floor: small, budget: { at_least: 0.5 } },
    { what: `claims on ${database}, 8 processes, 1 000 tasks`, unit: 'per s', ours: crowd[1] ?? 0, budget: { at_least: 1_000 } },
    { what: `claims on ${database}, 8 processes, 100 000 tasks`, unit: 'per s', ours: crowd[2] ?? 0, budget: { at_least: 1_000 } },
  ]
}

async function claimsAlone(address: string, board: string, count: number): Promise<number> {
  const store = await openStore(address)
  const desk = { driver: store, board_id: board }
  const coders = await someCoders(desk, count)
  const started = performance.now()
  const { length } = await claimAll(desk, coders)
  const took = performance.now() - started
  await store.close()
  return Math.round((length / took) * 1_000)
}

/** Claims per second from the moment all processes are let go to the end of the last; a task claimed twice stops the bench. */
async function claimsTogether(address: string, board: string, count: number): Promise<number> {
  const each = Math.max(1, Math.floor(count / PROCESSES))
  const children = Array.from({ length: PROCESSES }, () =>
    fork(join(import.meta.dirname, 'board-claims.ts'), [address, board, String(each)]),
  )
  await Promise.all(children.map((child) => once(child, 'message')))
  const started = performance.now()
  const claimed = (await Promise.all(children.map(letGo))).flat()
  const took = performance.now() - started
  if (new Set(claimed).size !== claimed.length) throw new Error('a task was claimed twice')
  return Math.round((claimed.length / took) * 1_000)
}

async function letGo(child: ChildProcess): Promise<string[]> {
  const answer = once(child, 'message')
  child.send('go')
  const [claimed] = await answer
  return claimed as string[] // what the child below sends
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

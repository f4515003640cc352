import { takeTask } from '../../src/board/task/claim.ts'
import type { Identity } from '../../src/board/context.ts'
import { BoardAgent } from '../../src/domain/board/agent.ts'
import { Task } from '../../src/domain/board/task.ts'
import type { Driver } from '../../src/store/driver.ts'
import { openStore } from '../../src/store/open.ts'
import { processMs } from '../report/bench.ts'
import { addBoard } from './fill-board.ts'

/**
 * Each process claims so many tasks of this board before it is measured: supervisors live long, and Node compiles only what has run
 * some hundred times.
 */
export const WARM_BOARD = 'warm'
export const WARM_UP = 300

const BASE = 'a'.repeat(40)

/** A board of that many tasks, all free to be claimed. */
export async function seedBoard(store: Driver, id: string, size: number): Promise<void> {
  const created = new Date().toISOString()
  await addBoard(store, id, created)
  const plan = { description: 'Do it', spec_ref: 'spec.md', done_when: 'it returns 200', scope: 'IN: it', plan_approved_by: 'ann' }
  for (let from = 1; from <= size; from += 400) {
    const numbers = Array.from({ length: Math.min(400, size + 1 - from) }, (_, at) => from + at)
    const rows = numbers.map((number) => {
      const task = { ...plan, id: `task-${number}`, board_id: id, number, priority: 1 + (number % 5), status: 'UNCLAIMED', created }
      return [`${id}/task-${number}`, JSON.stringify(Task.parse(task))]
    })
    await insertRows(store, 'tasks', rows)
  }
}

/** How long a process took for its claims, and what it got. */
export interface Claimed {
  /** Processor time of the claiming process. */
  cpuMs: number
  tasks: string[]
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) await claimOnCommand()

/** One of several processes that are let go at the same moment, each with so many claims to make on each of the boards. */
async function claimOnCommand(): Promise<void> {
  const [, , address = '', each = '0', ...ids] = process.argv
  const store = await openStore(address, { patienceMs: 60_000 })
  await claimAll(store, await someCoders(store, WARM_BOARD, WARM_UP))
  const coders = []
  for (const id of ids) coders.push(...(await someCoders(store, id, Number(each))))
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  const before = processMs()
  const tasks = await claimAll(store, coders)
  process.send?.({ cpuMs: processMs() - before, tasks } satisfies Claimed)
  await store.close()
  process.disconnect()
}

type Coder = Identity & { board_id: string }

/** Coders that are registered and ready, entered at once: what is measured comes after. */
async function someCoders(driver: Driver, board_id: string, count: number): Promise<Coder[]> {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const coders = Array.from({ length: count }, (_, at) => ({ board_id, agent: `coder-${process.pid}${at}`, generation: 'bench' }))
  const rows = coders.map(({ agent, generation }) => {
    const entry = { id: agent, board_id, role: 'coder', status: 'IDLE', generation, lease_expires: soon, heartbeat: soon }
    return [`${board_id}/${agent}`, JSON.stringify(BoardAgent.parse(entry))]
  })
  await insertRows(driver, 'board_agents', rows)
  return coders
}

async function insertRows(driver: Driver, table: string, rows: readonly string[][]): Promise<void> {
  const values = rows.map((_, at) => `($${at * 2 + 1}, $${at * 2 + 2})`).join(', ')
  await driver.query(`insert into ${table} (id, data) values ${values}`, rows.flat())
}

/** One claim for each coder; what they got. */
async function claimAll(driver: Driver, coders: readonly Coder[]): Promise<string[]> {
  const claimed: string[] = []
  for (const coder of coders) {
    const task = await takeTask({ driver, board_id: coder.board_id }, coder, BASE)
    if (task !== null) claimed.push(`${coder.board_id}/${task.id}`)
  }
  return claimed
}

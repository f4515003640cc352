import { takeTask } from '../src/board/claim.ts'
import type { Desk, Identity } from '../src/board/desk.ts'
import { BoardAgent } from '../src/domain/board-agent.ts'
import { Board } from '../src/domain/board.ts'
import { Task } from '../src/domain/task.ts'
import { openStore } from '../src/store/open.ts'
import { boards } from '../src/store/tables.ts'

type Shelf = Pick<Desk, 'driver' | 'board_id'>

const BASE = 'a'.repeat(40)

/** A board of that many tasks, all free to be claimed. */
export async function seedBoard(address: string, size: number): Promise<string> {
  const store = await openStore(address)
  const created = new Date().toISOString()
  const id = `board_${size}`
  const goal = { id: 'goal-1', description: 'Measure', spec_ref: null, created, status: 'IN_PROGRESS' }
  const sprint = { id: 'sprint-1', goal_ref: 'goal-1', status: 'IN_PROGRESS', timeline: { started: created } }
  await boards.add(store, Board.parse({ id, root: `/${size}`, goal, sprint, config: {} }))
  const plan = { description: 'Do it', spec_ref: 'spec.md', done_when: 'it returns 200', scope: 'IN: it', plan_approved_by: 'ann' }
  for (let from = 1; from <= size; from += 400) {
    const numbers = Array.from({ length: Math.min(400, size + 1 - from) }, (_, at) => from + at)
    const rows = numbers.map((number) => {
      const task = { ...plan, id: `task-${number}`, board_id: id, number, priority: 1 + (number % 5), status: 'UNCLAIMED', created }
      return [`${id}/task-${number}`, JSON.stringify(Task.parse(task))]
    })
    const values = rows.map((_, at) => `($${at * 2 + 1}, $${at * 2 + 2})`).join(', ')
    await store.query(`insert into tasks (id, data) values ${values}`, rows.flat())
  }
  await store.close()
  return id
}

/** Coders that are registered and ready, entered at once: what is measured comes after. */
export async function someCoders({ driver, board_id }: Shelf, count: number): Promise<Identity[]> {
  const soon = new Date(Date.now() + 3_600_000).toISOString()
  const coders = Array.from({ length: count }, (_, at) => ({
    agent: `coder-${process.pid}${String(at).padStart(4, '0')}`,
    generation: 'bench',
  }))
  const rows = coders.map(({ agent, generation }) => {
    const entry = { id: agent, board_id, role: 'coder', status: 'IDLE', generation, lease_expires: soon, heartbeat: soon }
    return [`${board_id}/${agent}`, JSON.stringify(BoardAgent.parse(entry))]
  })
  const values = rows.map((_, at) => `($${at * 2 + 1}, $${at * 2 + 2})`).join(', ')
  await driver.query(`insert into board_agents (id, data) values ${values}`, rows.flat())
  return coders
}

/** One claim for each coder; the ids of what they got. */
export async function claimAll(desk: Shelf, coders: readonly Identity[]): Promise<string[]> {
  const claimed: string[] = []
  for (const coder of coders) {
    const task = await takeTask(desk, coder, BASE)
    if (task !== null) claimed.push(task.id)
  }
  return claimed
}

if (process.send !== undefined && process.argv[1] === import.meta.filename) await claimOnCommand()

/** One of several processes that are let go at the same moment. */
async function claimOnCommand(): Promise<void> {
  const [, , address = '', board_id = '', count = '0'] = process.argv
  const store = await openStore(address)
  const desk = { driver: store, board_id }
  const coders = await someCoders(desk, Number(count))
  process.send?.('ready')
  await new Promise((resolve) => process.once('message', resolve))
  process.send?.(await claimAll(desk, coders))
  await store.close()
  process.disconnect()
}

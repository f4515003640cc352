import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Task } from '../domain/board/task.ts'
import { openStore } from '../store/open.ts'
import { tasks } from '../store/tables.ts'
import { databases } from '../store/test-databases.ts'
import { claimWithWorktree } from './task/claim.ts'
import { testBoard, type TestBoard } from './test-board.ts'

/** How often all processes together reach for something; more than the usual few with `RACE_ROUNDS=10000`. */
const FIGHTS = Number(process.env['RACE_ROUNDS'] ?? 160)
const PROCESSES = FIGHTS > 160 ? 8 : 3
/** At one task, before they go on to the next: the story of a task grows with each claim. */
const ROUNDS = FIGHTS > 160 ? 10 : 40
const TASKS = Math.ceil(FIGHTS / PROCESSES / ROUNDS)

for (const { database, address } of databases) {
  test(`[B51] of processes that claim one task at once exactly one has it at any moment, on ${database}`, async (t) => {
    const { board, at } = await sharedBoard(t, address)
    await tasksFor(board, TASKS, {})

    const won = await race(t, board, at, { role: 'coder', rounds: ROUNDS, tasks: TASKS })

    const { claims, overlaps, held } = await owners(board, 'claimed', 'coder_claim_released')
    assert.deepEqual({ claims, overlaps, held }, { claims: won, overlaps: [], held: [] })
    assert.ok(won > 0)
  })

  test(`[B51] of processes that claim one review at once exactly one has it at any moment, on ${database}`, async (t) => {
    const { board, at } = await sharedBoard(t, address)
    await tasksFor(board, TASKS, { status: 'READY_FOR_REVIEW', review_commit: 'a'.repeat(40) })

    const won = await race(t, board, at, { role: 'code-reviewer', rounds: ROUNDS, tasks: TASKS })

    const { claims, overlaps, held } = await owners(board, 'review_claimed', 'review_claim_released')
    assert.deepEqual({ claims, overlaps, held }, { claims: won, overlaps: [], held: [] })
    assert.ok(won > 0)
  })

  test(`[B16] of processes that claim one task at once whoever has it has its worktree, on ${database}`, async (t) => {
    const { board, at } = await sharedBoard(t, address)
    const rounds = 2
    const tasksEach = FIGHTS > 160 ? Math.ceil(FIGHTS / PROCESSES / rounds) : 1
    await tasksFor(board, tasksEach, {})

    const won = await race(t, board, at, { role: 'coder', rounds, tasks: tasksEach, env: { RACE_WORKTREES: 'yes' } })

    const { overlaps, held } = await owners(board, 'claimed', 'coder_claim_released')
    assert.deepEqual({ overlaps, held }, { overlaps: [], held: [] })
    assert.ok(won > 0)
  })
}

test('[B51] coders that claim at the same moment get a task each, and each its own worktree', async (t) => {
  const board = await testBoard(t)
  const coders = await Promise.all([1, 2, 3, 4].map((number) => board.agent(`coder-${number}`)))
  for (let at = 0; at < 3; at++) await board.ready()

  const claimed = await Promise.all(coders.map((coder) => claimWithWorktree(board, coder)))

  const ids = claimed.flatMap((task) => (task === null ? [] : [task.id]))
  assert.deepEqual(ids.toSorted(), ['task-1', 'task-2', 'task-3'])
  for (const task of claimed) assert.equal(task?.worktree_by, task?.assigned_to)
})

/** How often something was taken, where somebody took it while another had it, and what nobody gave back. */
async function owners({ driver, board_id }: TestBoard, taken: string, given: string) {
  const overlaps: string[] = []
  const held: string[] = []
  let claims = 0
  for (const { item } of await tasks.list(driver, { where: { board_id } })) {
    let holder = ''
    for (const { event, agent = '' } of item.history) {
      if (event === taken && holder !== '') overlaps.push(`${agent} took ${item.id} from ${holder}`)
      if (event === given && holder !== agent) overlaps.push(`${agent} gave back ${item.id}, which ${holder} had`)
      if (event === taken) [holder, claims] = [agent, claims + 1]
      if (event === given) holder = ''
    }
    if (holder !== '') held.push(item.id)
  }
  return { claims, overlaps, held }
}

interface Race {
  role: 'coder' | 'code-reviewer'
  rounds: number
  tasks: number
  env?: NodeJS.ProcessEnv
}

async function race(t: TestContext, board: TestBoard, address: string, { role, rounds, tasks: count, env = {} }: Race): Promise<number> {
  const racers = Array.from({ length: PROCESSES }, (_, at) => {
    const args = [address, board.board_id, `${role}-${at + 10}`, String(rounds), String(count), board.repository.root]
    return fork(join(import.meta.dirname, 'test-racer.ts'), args, {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [], // a racer is no test: with the runner's own flags it would look for tests to run
      env: { ...process.env, ...env },
    })
  })
  t.after(() => racers.forEach((racer) => racer.kill('SIGKILL')))
  await Promise.all(racers.map((racer) => once(racer, 'message')))
  const won = await Promise.all(racers.map(letGo))
  return won.reduce((sum, one) => sum + one, 0)
}

async function letGo(racer: ChildProcess): Promise<number> {
  const told = Promise.race([once(racer, 'message'), once(racer, 'exit').then(([code]) => [`a racer ended with ${code}`])])
  racer.send('go')
  const [won] = await told
  assert.equal(typeof won, 'number', String(won))
  return Number(won)
}

async function sharedBoard(t: TestContext, address: (t: TestContext) => Promise<string>): Promise<{ board: TestBoard; at: string }> {
  const at = await address(t)
  const board = await testBoard(t, {
    open: async () => {
      const store = await openStore(at, { patienceMs: 60_000 })
      t.after(() => store.close())
      return store
    },
  })
  return { board, at }
}

/** Tasks that may be claimed as often as anyone likes. */
async function tasksFor(board: TestBoard, count: number, changes: Partial<Task>): Promise<void> {
  for (let at = 1; at <= count; at++) await board.put((await board.ready()).id, { max_iterations: FIGHTS + 1, ...changes })
}

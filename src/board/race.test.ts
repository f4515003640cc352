import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { boardKey } from '../domain/board.ts'
import type { TaskEvent } from '../domain/task.ts'
import { testPostgresAddress } from '../store/open-test-postgres.ts'
import { openStore } from '../store/open.ts'
import { tasks } from '../store/tables.ts'
import { claimTask } from './claim.ts'
import { testBoard, type TestBoard } from './test-board.ts'

const PROCESSES = 4
const ROUNDS = 40

const databases = [
  { database: 'SQLite', address: sqliteAddress },
  { database: 'PostgreSQL', address: () => testPostgresAddress() },
]

for (const { database, address } of databases) {
  test(`[B51] of processes that claim one task at once exactly one has it at any moment, on ${database}`, async (t) => {
    const { board, at } = await sharedBoard(t, address)
    await board.ready()
    await raiseLimit(board)

    const won = await race(t, at, board.board_id, 'coder')

    const { history, status } = await board.task('task-1')
    assert.equal(status, 'UNCLAIMED')
    assert.deepEqual(owners(history, 'claimed', 'coder_claim_released'), { claims: won, overlaps: [] })
    assert.ok(won > 0)
  })

  test(`[B51] of processes that claim one review at once exactly one has it at any moment, on ${database}`, async (t) => {
    const { board, at } = await sharedBoard(t, address)
    await board.ready()
    await board.submitted(await board.agent('coder-1'), 'task-1')

    const won = await race(t, at, board.board_id, 'code-reviewer')

    const { history, reviewing_by } = await board.task('task-1')
    assert.equal(reviewing_by, null)
    assert.deepEqual(owners(history, 'review_claimed', 'review_claim_released'), { claims: won, overlaps: [] })
  })
}

test('[B51] coders that claim at the same moment get a task each, and each its own worktree', async (t) => {
  const board = await testBoard(t)
  const coders = await Promise.all([1, 2, 3, 4].map((number) => board.agent(`coder-${number}`)))
  for (let at = 0; at < 3; at++) await board.ready()

  const claimed = await Promise.all(coders.map((coder) => claimTask(board, coder)))

  const ids = claimed.flatMap((task) => (task === null ? [] : [task.id]))
  assert.deepEqual(ids.toSorted(), ['task-1', 'task-2', 'task-3'])
  for (const task of claimed) assert.equal(task?.worktree_by, task?.assigned_to)
})

/** How often it was taken, and where somebody took it while another had it. */
function owners(history: readonly TaskEvent[], taken: string, given: string) {
  const overlaps: string[] = []
  let [holder, claims] = ['', 0]
  for (const { event, agent = '' } of history) {
    if (event === taken && holder !== '') overlaps.push(`${agent} took it from ${holder}`)
    if (event === given && holder !== agent) overlaps.push(`${agent} gave back what ${holder} had`)
    if (event === taken) [holder, claims] = [agent, claims + 1]
    if (event === given) holder = ''
  }
  return { claims, overlaps }
}

async function race(t: TestContext, address: string, board: string, role: string): Promise<number> {
  const racers = Array.from({ length: PROCESSES }, (_, at) =>
    fork(join(import.meta.dirname, 'test-racer.ts'), [address, board, `${role}-${at + 10}`, String(ROUNDS)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  )
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

async function raiseLimit({ driver, board_id }: TestBoard): Promise<void> {
  const was = await tasks.get(driver, boardKey({ board_id, id: 'task-1' }))
  await tasks.replace(driver, was, { ...was.item, max_iterations: PROCESSES * ROUNDS + 1 })
}

async function sqliteAddress(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-race-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return `sqlite:${join(folder, 'troupe.db')}`
}

import { lastEvent } from '../../src/domain/board/event.ts'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { perform } from '../../src/domain/operation.ts'
import { approvePlan } from '../../src/board/task/approve-plan.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { readActivity } from '../../src/board/activity.ts'
import { boardState } from '../../src/board/view/state.ts'
import { readDocument } from '../../src/cli/read-document.ts'
import { validateState } from '../../src/board/health/validate.ts'
import { boardKey } from '../../src/domain/board/board.ts'
import type { Task } from '../../src/domain/board/task.ts'
import { boards, tasks } from '../../src/store/tables.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { killProcess } from './kill-process.ts'
import { commitTo } from './commit-to.ts'
import { openBoard, teamProject, type TeamProject } from './team-project.ts'
import { assertTroubleOvercome } from './team-report.ts'
import { added, approved, coder, committed, finalized, made, planner, removed, reply, reviewer, troubledScript } from './team-script.ts'

/** The whole measure is 100 runs; a suite that is run often takes one. */
const RUNS = Number(process.env['TROUPE_CHAOS_RUNS'] ?? 1)
const PROCESSES = 3
const KILLS = 8

const ids = ['list', 'sum', 'export']
const after = { depends_on: ['list'] }
const planned = [added('list'), added('sum', after), added('export', after)]

/** A planner that takes over from one that died finds what is there already and adds the rest. */
const script = troubledScript(
  ['INITIAL_PLANNING', 'UNFINISHED_DRAFTS'].flatMap((trigger) => [
    reply(planner, `TRIGGER: ${trigger}`, ...planned),
    reply(planner, `TRIGGER: ${trigger}`, ...ids.map(finalized)),
  ]),
  'one\nann\nsum\n',
  [
    reply(coder, 'TASK ID: list', removed('list.txt'), made('list.txt', '\n'), committed),
    reply(coder, 'TASK ID: sum', removed('a.txt'), made('a.txt', 'one\nsum\n'), committed),
  ],
  [{ ...reply(reviewer, 'TASK ID: sum', approved()), delay_ms: 1_500 }], // long enough for a person to get in between
)

for (let run = 1; run <= RUNS; run++) {
  test(`[B131] whichever process is killed each second, the plan is carried out and everything approved is merged once (run ${run})`, async (t) => {
    const project = await teamProject(t, script)
    const board = await openBoard(project, { lease_duration: 5, heartbeat_interval: 1, max_coder_iterations: 50, max_review_cycles: 50 })
    const main = await gitText(project.project, ['rev-parse', 'main'])

    const kills = await workUnderFire(project, board)

    t.diagnostic(`${kills} processes were killed`)
    await orTell(t, board, async () => {
      await assertStory(project, board)
      for (const { item } of await tasks.list(board.driver, { where: { status: 'MERGED' } })) await assertMergedOnce(project, item)
      await assertValid(project, board)
      assert.equal(await gitText(project.project, ['rev-parse', 'main']), main)
      assert.equal(await gitText(project.project, ['status', '--porcelain']), '')
      assert.equal((await gitText(project.project, ['worktree', 'list'])).split('\n').length, 1)
    })
  })
}

/** A run that failed cannot be played again, so it tells its story. */
async function orTell(t: TestContext, { driver, board_id }: BoardWorkspace, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    const log = await readActivity(driver, board_id, { limit: 100_000 })
    for (const { timestamp, agent, action, task = '', detail } of log) t.diagnostic(`${timestamp} ${agent} ${action} ${task} ${detail}`)
    throw error
  }
}

/** Several supervising processes at work; every second one that has begun to work is killed and another begins. Gives back how many died. */
async function workUnderFire(project: TeamProject, board: BoardWorkspace): Promise<number> {
  const args = ['team', '--planner', '--until-done', '--model', project.model]
  const begin = () => {
    const seat = { said: 0, ...project.start(args, () => (seat.said += 1)) }
    return seat
  }
  const living = Array.from({ length: PROCESSES }, begin)
  const person = workBeside(project, board)
  let shots = 0
  let kills = 0
  while (await isOpen(board)) {
    await sleep(1_000)
    const atWork = living.filter(({ said, child }) => said > 0 && child.exitCode === null)
    const victim = shots < KILLS ? atWork[Math.floor(Math.random() * atWork.length)] : undefined
    if (victim?.child.pid !== undefined) {
      shots += 1
      kills += await killProcess(victim.child.pid)
      await victim.ended
    }
    for (const [at, { child }] of living.entries()) {
      const isGone = child.exitCode !== null || child.signalCode !== null
      if (isGone && (await isOpen(board))) living[at] = begin()
    }
  }
  await Promise.all([person, ...living.map(({ ended }) => ended)])
  return kills
}

/** Meanwhile a person approves what was planned, and commits something to the branch that does not go with a work under review. */
async function workBeside(project: TeamProject, board: BoardWorkspace): Promise<void> {
  let interfered = false
  while (await isOpen(board)) {
    await perform(approvePlan, { ...board, actor: { human: 'ann' } }, {})
    const sum = await tasks.find(board.driver, boardKey({ board_id: board.board_id, id: 'sum' }))
    if (!interfered && sum?.item.status === 'READY_FOR_REVIEW')
      interfered = await commitTo(project.repository, 'integration', { 'a.txt': 'one\nann\n' })
    await sleep(50)
  }
}

async function isOpen({ driver, board_id }: BoardWorkspace): Promise<boolean> {
  return (await boards.get(driver, board_id)).item.goal.status === 'IN_PROGRESS'
}

async function assertStory(project: TeamProject, board: BoardWorkspace): Promise<void> {
  const lines: string[] = []
  assert.equal(await project.start(['team', '--until-done', '--json', '--model', project.model], (line) => lines.push(line)).ended, 0)
  const states = { list: 'MERGED', sum: 'MERGED', export: 'SUPERSEDED', 'export-csv': 'MERGED' }
  await assertTroubleOvercome(project, board, JSON.parse(lines.at(-1) ?? '{}'), states, 'one\nann\nsum\n')
}

/** The store breaks no rule, and what is written beside it says the same. */
async function assertValid({ project }: TeamProject, board: BoardWorkspace): Promise<void> {
  const state = await boardState(board)
  const errors = validateState(state, { root: project, now: await board.driver.now() }).filter(({ severity }) => severity === 'error')
  assert.deepEqual(errors, [])
  const file = join(project, '.troupe/state.yaml')
  const copy = await readDocument(file)
  assert.deepEqual(statesOf(copy), statesOf(state))
  assert.equal(existsSync(`${file}.lock`), false)
}

function statesOf(document: unknown): [string, string][] {
  const { tasks: listed } = document as { tasks: Task[] } // written by us, and only read for a comparison
  return listed.map(({ id, status }) => [id, status])
}

/** What is on the branch is exactly what was approved, and it is there once. */
async function assertMergedOnce({ project }: TeamProject, { id, history, review_commit, merge_commit }: Task): Promise<void> {
  const merges = await gitText(project, ['log', '--format=%H %P', '--first-parent', `--grep=Troupe-Task: ${id}$`, 'integration'])
  const [line = ''] = merges.split('\n')
  assert.equal(merges.split('\n').length, 1, `${id} was merged more than once`)
  assert.deepEqual([line.split(' ')[0], line.split(' ')[2]], [merge_commit, review_commit])
  const approval = lastEvent(history, 'approved')
  assert.equal(approval?.commit, review_commit)
  assert.equal(history.filter(({ event }) => event === 'merged').length, 1)
}

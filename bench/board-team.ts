import childProcess from 'node:child_process'
import { text } from 'node:stream/consumers'
import { claimTask } from '../src/board/claim.ts'
import { runTeam, teamOf } from '../src/board/team/team.ts'
import { superviseAgent } from '../src/board/team/supervise.ts'
import { approving, coding, testStation } from '../src/board/team/test-team.ts'
import { until } from '../src/sandbox/test-until.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import { processMs, type Bench, type Row } from './report/bench.ts'
import { gitsElsewhere, replaceSpawn, threadMs } from './board/gits-elsewhere.ts'
import { readyBoard, testBoard } from '../src/board/test-board.ts'

const TASKS = 200
const FEWER_TASKS = 40
const LEASE_SECONDS = 3

/** What supervising costs beside git, for a team that is never idle, and how soon the work of a killed agent is taken up. */
export const bench: Bench = {
  name: 'board-team',
  run: async (t) => [await share(t), await starting(t), await reclaim(t)],
}

/** The processor time of this process while 12 agents bring 200 tasks from claim to merge, their gits started by another. */
async function share(cleanup: Cleanup): Promise<Row> {
  const work = await aTeam(cleanup, TASKS)
  const elsewhere = gitsElsewhere()
  const before = threadMs()
  await work()
  const cpuMs = threadMs() - before
  elsewhere.stop()
  const what = `supervising a task from claim to merge, without its ${Math.round(elsewhere.told.gits / TASKS)} gits`
  return { what, unit: 'ms', ours: cpuMs / TASKS, budget: { at_most: 10 }, why }
}

/** By counts, by samples of the thread on the processor (`perf`), and by leaving the team, or some of its transactions, out. */
const why =
  'a task is 26 transactions with 136 statements (four turns of agents, each stored before its calls run, and eight changes of the task) ' +
  'and 15 gits. With no team around them, so many transactions that read, change and log one record, between 16 gits, take 12 to 14 ms ' +
  'here. Of the whole, a quarter is spent in SQLite, a sixth on making gits ready and hearing of them, a tenth on holding records to ' +
  'their schemas, a tenth on looking at files, and the rest is spread thin: no function takes a twentieth'

/** What starting the gits adds to it when this process does it itself, beside bare Node starting as many and reading what they print. */
async function starting(cleanup: Cleanup): Promise<Row> {
  const work = await aTeam(cleanup, FEWER_TASKS)
  const { spawn } = childProcess
  let [ours, started] = [0, 0]
  const timed = (...args: Parameters<typeof spawn>) => {
    const before = processMs()
    const git = spawn(...args)
    ours += processMs() - before
    started += 1
    return git
  }
  replaceSpawn(Object.assign(timed, spawn))
  await work()
  replaceSpawn(spawn)
  const floor = await bareGits(started)
  return { what: `starting the gits of a task`, unit: 'ms', ours: ours / FEWER_TASKS, floor: floor / FEWER_TASKS, budget: { at_most: 1.5 } }
}

async function bareGits(count: number): Promise<number> {
  const before = processMs()
  for (let at = 0; at < count; at++) {
    const git = childProcess.spawn('git', ['--version'], { stdio: ['ignore', 'pipe', 'pipe'] })
    await Promise.all([text(git.stdout), text(git.stderr)])
  }
  return processMs() - before
}

/** A board of small tasks and a team that is never idle. */
async function aTeam(cleanup: Cleanup, count: number): Promise<() => Promise<unknown>> {
  const board = await testBoard(cleanup)
  for (let at = 1; at <= count; at++) await board.ready()
  const station = await testStation(cleanup, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })
  const members = teamOf({ planner: false, coders: 8, reviewers: 4 })
  return () => runTeam(station, { members, untilDone: true }, new AbortController().signal)
}

/** From the death of a coder to the claim of its task by another that waits; the lease is the floor. */
async function reclaim(cleanup: Cleanup): Promise<Row> {
  const board = await readyBoard(cleanup, { config: { lease_duration: LEASE_SECONDS, heartbeat_interval: 1 } })
  const dying = await board.agent('coder-1')
  await claimTask(board, dying) // and not one heartbeat more: it is dead from here on
  const died = performance.now()
  const station = await testStation(cleanup, board, { coder: () => ({ fail: 'hang' }) })
  const stop = new AbortController()
  const supervised = superviseAgent(station, { role: 'coder', id: 'coder-2' }, stop.signal)
  await until(async () => (await board.task('task-1')).assigned_to === 'coder-2')
  const ours = performance.now() - died
  stop.abort()
  await supervised
  return {
    what: 'a killed coder’s task taken up by another, lease included',
    unit: 'ms',
    ours,
    budget: { at_most: LEASE_SECONDS * 1_000 + 2_000 },
  }
}

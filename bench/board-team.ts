import childProcess from 'node:child_process'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { claimWithWorktree } from '../src/board/task/claim.ts'
import { runTeam, teamOf } from '../src/board/team/team.ts'
import { superviseAgent } from '../src/board/team/supervise.ts'
import { approving, coding, testStation } from '../src/board/team/test-team.ts'
import { until } from '../src/sandbox/test-until.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import { processMs, type Bench, type Row } from './report/bench.ts'
import { instantGit, replaceSpawn } from './board/instant-git.ts'
import { readyBoard, testBoard } from '../src/board/test-board.ts'

const TASKS = 200
const TRIES = 3
const FEWER_TASKS = 40
const LEASE_SECONDS = 3

/** What supervising costs without git and with it, for a team that is never idle, and how soon the work of a killed agent is taken up. */
export const bench: Bench = {
  name: 'board-team',
  run: async (t) => [await share(t), ...(await withGits(t)), await reclaim(t)],
}

/** The processor time of this process while 12 agents bring 200 tasks from claim to merge, every git answered at once. */
async function share(cleanup: Cleanup): Promise<Row> {
  const tries: number[] = []
  let gits = 0
  for (let at = 0; at < TRIES; at++) {
    const { root, work } = await inMemory(() => aTeam(cleanup, TASKS))
    const { told, stop } = instantGit(root)
    const before = threadMs()
    await work()
    tries.push((threadMs() - before) / TASKS)
    stop()
    gits = Math.round(told.gits / TASKS)
  }
  const what = `supervising a task from claim to merge, its ${gits} gits answered at once`
  return { what, unit: 'ms', ours: Math.min(...tries), budget: { at_most: 10 } }
}

/** Without a disk, where the system has a place for it: what making a file costs there is not ours. */
async function inMemory<Result>(make: () => Promise<Result>): Promise<Result> {
  const before = process.env['TMPDIR']
  if (existsSync('/dev/shm')) process.env['TMPDIR'] = '/dev/shm'
  try {
    return await make()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** The same with real gits: what this process does beside starting them, and to start them, as bare Node starts as many and reads what they print. */
async function withGits(cleanup: Cleanup): Promise<Row[]> {
  const { work } = await aTeam(cleanup, FEWER_TASKS)
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
  const before = threadMs()
  await work()
  const allMs = (threadMs() - before) / FEWER_TASKS
  replaceSpawn(spawn)
  const floor = (await bareGits(started)) / FEWER_TASKS
  const startedMs = ours / FEWER_TASKS
  return [
    {
      what: 'supervising a task beside its real gits, which cool the caches',
      unit: 'ms',
      ours: allMs - startedMs,
      budget: { at_most: 30 },
    },
    { what: 'starting the gits of a task', unit: 'ms', ours: startedMs, floor, budget: { at_most: 1.5 } },
  ]
}

/** Processor time of this thread. Linux brings it up to date only now and then: it says nothing of what takes less than some milliseconds. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
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
async function aTeam(cleanup: Cleanup, count: number): Promise<{ root: string; work: () => Promise<unknown> }> {
  const board = await testBoard(cleanup)
  for (let at = 1; at <= count; at++) await board.ready()
  const team = await testStation(cleanup, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })
  const members = teamOf({ planner: false, coders: 8, reviewers: 4 })
  const work = () => runTeam(team, { members, untilDone: true }, new AbortController().signal)
  return { root: board.repository.root, work }
}

/** From the death of a coder to the claim of its task by another that waits; the lease is the floor. */
async function reclaim(cleanup: Cleanup): Promise<Row> {
  const board = await readyBoard(cleanup, { config: { lease_duration: LEASE_SECONDS, heartbeat_interval: 1 } })
  const dying = await board.agent('coder-1')
  await claimWithWorktree(board, dying) // and not one heartbeat more: it is dead from here on
  const died = performance.now()
  const team = await testStation(cleanup, board, { coder: () => ({ fail: 'hang' }) })
  const stop = new AbortController()
  const supervised = superviseAgent(team, { role: 'coder', id: 'coder-2' }, stop.signal)
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

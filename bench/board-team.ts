import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTask } from '../src/board/add.ts'
import type { Desk } from '../src/board/desk.ts'
import { finalizeTask } from '../src/board/finalize.ts'
import { initBoard } from '../src/board/init.ts'
import { claimTask } from '../src/board/claim.ts'
import { agentReady, registerAgent } from '../src/board/register.ts'
import { runTeam, teamOf } from '../src/board/team/team.ts'
import { superviseAgent } from '../src/board/team/supervise.ts'
import { approving, coding, testStation, until } from '../src/board/team/test-team.ts'
import type { BoardConfig } from '../src/domain/board.ts'
import type { Cleanup } from '../src/store/open-test-store.ts'
import { openStore } from '../src/store/open.ts'
import { tasks } from '../src/store/tables.ts'
import { agentAuthor, commitAll } from '../src/worktrees/commit.ts'
import { gitText, openRepository } from '../src/worktrees/repository.ts'
import type { Bench, Row } from './bench.ts'

const TASKS = 200
const LEASE_SECONDS = 2

export const bench: Bench = { name: 'board-team', run: runBoardTeamBench }

/** What supervising costs beside git, for a team that is never idle, and how soon the work of a killed agent is taken up. */
export async function runBoardTeamBench(): Promise<Row[]> {
  const cleanups: (() => unknown)[] = []
  const cleanup = { after: (work: () => unknown) => void cleanups.push(work) }
  try {
    return [await share(cleanup), await reclaim(cleanup)]
  } finally {
    for (const work of cleanups.toReversed()) await work()
  }
}

/** The processor time of this process while 12 agents bring 200 tasks from claim to merge, without what starting git takes. */
async function share(cleanup: Cleanup): Promise<Row> {
  const desk = await aDesk(cleanup, {})
  for (let at = 1; at <= TASKS; at++) await aTask(desk, `task-${at}`)
  const station = await testStation(cleanup, desk, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })
  const members = teamOf({ planner: false, coders: 8, reviewers: 4 })
  const { cpuMs, spawnMs, spawned } = await spent(() => runTeam(station, { members, untilDone: true }, new AbortController().signal))
  const what = `supervising a task from claim to merge, without starting its ${Math.round(spawned / TASKS)} gits`
  return { what, unit: 'ms', ours: (cpuMs - spawnMs) / TASKS, budget: { at_most: 10 } }
}

/** From the death of a coder to the claim of its task by another that waits; the lease is the floor. */
async function reclaim(cleanup: Cleanup): Promise<Row> {
  const desk = await aDesk(cleanup, { lease_duration: LEASE_SECONDS, heartbeat_interval: 1 })
  await aTask(desk, 'task-1')
  const dying = await registerAgent(desk, { id: 'coder-1' })
  await agentReady(desk, dying)
  await claimTask(desk, dying) // and not one heartbeat more: it is dead from here on
  const died = performance.now()
  const station = await testStation(cleanup, desk, { coder: () => ({ fail: 'hang' }) })
  const stop = new AbortController()
  const supervised = superviseAgent(station, { role: 'coder', id: 'coder-2' }, stop.signal)
  await until(async () => (await tasks.list(desk.driver))[0]?.item.assigned_to === 'coder-2')
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

/** Processor time of this thread, and how much of it went into starting other processes. */
async function spent(work: () => Promise<unknown>): Promise<{ cpuMs: number; spawnMs: number; spawned: number }> {
  const starting = { spawnMs: 0, spawned: 0 }
  const { spawn } = childProcess
  const timed = (...args: Parameters<typeof spawn>) => {
    const before = threadMs()
    const started = spawn(...args)
    starting.spawnMs += threadMs() - before
    starting.spawned += 1
    return started
  }
  replaceSpawn(Object.assign(timed, spawn))
  const before = threadMs()
  await work()
  replaceSpawn(spawn)
  return { cpuMs: threadMs() - before, ...starting }
}

/** Every module that starts processes sees the replacement. */
function replaceSpawn(spawn: typeof childProcess.spawn): void {
  childProcess.spawn = spawn
  syncBuiltinESMExports()
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

async function aDesk(cleanup: Cleanup, config: Partial<BoardConfig>): Promise<Desk> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'troupe-bench-')))
  cleanup.after(() => rm(root, { recursive: true, force: true }))
  await gitText(root, ['init', '--quiet', '--initial-branch=main'])
  await writeFile(join(root, 'spec.md'), '# Users\n')
  await commitAll(root, 'Start', agentAuthor('coder-1'))
  const repository = await openRepository(root)
  const driver = await openStore(`sqlite:${join(root, '.git', 'troupe.db')}`)
  cleanup.after(() => driver.close())
  const board = await initBoard(
    driver,
    repository,
    { goal: 'Measure', spec_ref: 'spec.md', config: { auto_approve: true, ...config } },
    'ann',
  )
  return { driver, board_id: board.id, repository, sandbox: { kind: 'none', reason: 'not needed here', fix: 'none' } }
}

async function aTask(desk: Desk, id: string): Promise<void> {
  const plan = { description: `Write ${id}`, kind: 'doc', spec_ref: 'spec.md', done_when: `${id}.txt exists`, scope: 'IN: a file' } as const
  await addTask(desk, { human: 'ann' }, { id, ...plan })
  await finalizeTask(desk, { human: 'ann' }, id)
}

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { initBoard } from '../../src/board/init.ts'
import { addTask } from '../../src/board/add.ts'
import { finalizeTask } from '../../src/board/finalize.ts'
import type { Desk } from '../../src/board/desk.ts'
import { boardState } from '../../src/board/state.ts'
import type { Violation } from '../../src/domain/board-rule.ts'
import { boardViolations } from '../../src/domain/board-validate.ts'
import type { Task } from '../../src/domain/task.ts'
import { boards, tasks } from '../../src/store/tables.ts'
import { fileAt } from '../../src/worktrees/diff.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { teamProject, type TeamProject } from '../team-project.ts'
import { approved, coder, committed, made, rejected, reply, reviewer, submitted, teamScript } from '../team-script.ts'

/** The whole measure is 100 runs; a suite that is run often takes a few. */
const RUNS = Number(process.env['TROUPE_CHAOS_RUNS'] ?? 2)
const TASKS = 4
const PROCESSES = 3
const KILLING_MS = 8_000

const names = Array.from({ length: TASKS }, (_, at) => `part-${at + 1}`)
const script = teamScript(
  ...names.map((name) => reply(coder, `TASK ID: ${name}\n`, made(`${name}.txt`, `${name}\n`))),
  reply(coder, 'TASK ID: ', committed),
  reply(coder, 'TASK ID: ', submitted),
  reply(reviewer, 'each earlier blocker', approved('1.1')),
  reply(reviewer, 'TASK ID: part-1', rejected('part-1.txt')),
  reply(reviewer, 'TASK ID: ', approved()),
)

for (let run = 1; run <= RUNS; run++) {
  test(`[B131] whichever process is killed each second, everything approved is merged once and nothing else is (run ${run})`, async (t) => {
    const project = await teamProject(t, script)
    const desk = await aBoard(project)
    const main = await gitText(project.project, ['rev-parse', 'main'])

    const kills = await workUnderFire(project, desk)

    t.diagnostic(`${kills} processes were killed`)
    const all = (await tasks.list(desk.driver, { order: ['number'] })).map(({ item }) => item)
    assert.deepEqual(
      all.map(({ id, status }) => [id, status]),
      names.map((name) => [name, 'MERGED']),
    )
    for (const task of all) await assertMergedOnce(project, task)
    assert.deepEqual(await violationsOf(desk), [])
    assert.equal(await gitText(project.project, ['rev-parse', 'main']), main)
    assert.equal(await gitText(project.project, ['status', '--porcelain']), '')
  })
}

async function aBoard(project: TeamProject): Promise<Desk> {
  const { driver } = await project.desk()
  const config = { auto_approve: true, lease_duration: 2, heartbeat_interval: 1, max_coder_iterations: 50, max_review_cycles: 50 }
  const board = await initBoard(driver, project.repository, { goal: 'Write the parts', spec_ref: 'spec.md', config }, 'ann')
  const desk = { ...(await project.desk()), board_id: board.id }
  for (const [at, id] of names.entries()) {
    const depends_on = at === 0 ? [] : [names[0] ?? '']
    const plan = {
      description: `Write ${id}`,
      kind: 'doc',
      spec_ref: 'spec.md',
      done_when: `${id}.txt exists`,
      scope: 'IN: a file',
    } as const
    await addTask(desk, { human: 'ann' }, { id, ...plan, depends_on })
    await finalizeTask(desk, { human: 'ann' }, id)
  }
  return desk
}

/** Several supervising processes at work; every second one of them is killed and another begins. Gives back how many died. */
async function workUnderFire(project: TeamProject, desk: Desk): Promise<number> {
  const args = ['team', '--until-done', '--model', project.script]
  const living = new Map<number, ReturnType<TeamProject['start']>>()
  let kills = 0
  const isOpen = async () => (await boards.get(desk.driver, desk.board_id)).item.goal.status === 'IN_PROGRESS'
  const begun = Date.now()
  for (let number = 0; number < PROCESSES; number++) living.set(number, project.start(args))
  while (await isOpen()) {
    await sleep(1_000)
    const number = Math.floor(Math.random() * PROCESSES)
    const killing = Date.now() - begun < KILLING_MS
    for (const [seat, { child }] of living) {
      if (seat === number && killing && child.kill('SIGKILL')) kills += 1
      if (child.exitCode === null && child.signalCode === null && !(seat === number && killing)) continue
      if (await isOpen()) living.set(seat, project.start(args))
    }
  }
  await Promise.all([...living.values()].map(({ ended }) => ended))
  return kills
}

/** What the validator finds; the entry of a killed process is only a warning. */
async function violationsOf(desk: Desk): Promise<Violation[]> {
  const folderExists = (path: string) => existsSync(join(desk.repository.root, path))
  const found = boardViolations(await boardState(desk), { now: await desk.driver.now(), specExists: folderExists, folderExists })
  return found.filter(({ severity }) => severity === 'error')
}

/** What is on the branch is exactly what was approved, and it is there once. */
async function assertMergedOnce({ project }: TeamProject, { id, history, review_commit, merge_commit }: Task): Promise<void> {
  assert.equal(await fileAt(project, 'integration', `${id}.txt`), `${id}\n`)
  const merges = await gitText(project, ['log', '--format=%H %P', '--first-parent', `--grep=Troupe-Task: ${id}$`, 'integration'])
  const [line = ''] = merges.split('\n')
  assert.equal(merges.split('\n').length, 1, `${id} was merged more than once`)
  assert.deepEqual([line.split(' ')[0], line.split(' ')[2]], [merge_commit, review_commit])
  const approval = history.findLast(({ event }) => event === 'approved')
  assert.equal(approval?.['commit'], review_commit)
  assert.equal(history.filter(({ event }) => event === 'merged').length, 1)
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { perform } from '../../src/domain/operation.ts'
import { readActivity } from '../../src/board/activity.ts'
import { approvePlan, waitingForApproval } from '../../src/board/task/approve-plan.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { tasks } from '../../src/store/tables.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { teamProject, type TeamProject } from './team-project.ts'
import { assertTroubleOvercome } from './team-report.ts'
import { added, coder, committed, finalized, made, planner, removed, reply, troubledScript } from './team-script.ts'

const ids = ['list', 'count', 'sum', 'export']
const after = { depends_on: ['list'] }
const merged = { list: 'MERGED', count: 'MERGED', sum: 'MERGED', 'export-csv': 'MERGED' }

const script = troubledScript(
  [
    reply(planner, 'INITIAL_PLANNING', added('list'), added('count', after), added('sum', after), added('export', after)),
    reply(planner, 'INITIAL_PLANNING', ...ids.map(finalized)),
  ],
  'count\nsum\n',
  [
    reply(coder, 'TASK ID: list', made('list.txt', '\n'), committed),
    { ...reply(coder, 'TASK ID: count', removed('a.txt'), made('a.txt', 'count\n'), committed), delay_ms: 3_000 },
    { ...reply(coder, 'TASK ID: sum', removed('a.txt'), made('a.txt', 'sum\n'), committed), delay_ms: 3_000 },
  ],
)

test('[B130] a goal is planned, approved, coded, rejected and fixed, repaired after a conflict, rescoped and merged, and main stays as it was', async (t) => {
  const project = await teamProject(t, script)
  const main = await gitText(project.project, ['rev-parse', 'main'])
  const lines: string[] = []
  const goal = ['--goal', 'List the users', '--spec', 'spec.md']
  const team = ['team', ...goal, '--coders', '2', '--json', '--model', project.model]

  const { ended } = project.start(team, (line) => lines.push(line))
  const claimedBefore = await approveFirst(project)
  const approving = approveWhatComes(project, ended)
  const code = await ended
  await approving

  assert.equal(code, 0, lines.slice(-5).join('\n'))
  assert.equal(claimedBefore, 0, 'nothing is claimed before a person approved the plan')
  const board = await project.desk()
  await assertTroubleOvercome(project, board, JSON.parse(lines.at(-1) ?? '{}'), { ...merged, export: 'SUPERSEDED' }, 'count\nsum\n')
  assert.equal(await gitText(project.project, ['rev-parse', 'main']), main)
  assert.equal(await gitText(project.project, ['status', '--porcelain']), '')
  await assertWokenOnce(board)
})

async function assertWokenOnce(board: BoardWorkspace): Promise<void> {
  const log = await readActivity(board.driver, board.board_id, { limit: 10_000 })
  const woken = log.filter(({ action }) => action === 'planner_woken').map(({ detail }) => detail)
  assert.deepEqual(woken.length, new Set(woken).size, woken.join('\n'))
}

/** Waits until the plan is there; gives back how much was claimed by then. */
async function approveFirst(project: TeamProject): Promise<number> {
  for (;;) {
    const board = await project.desk()
    if (board.board_id !== '' && (await waitingForApproval(board)).length === ids.length) {
      await sleep(500)
      const claimed = await tasks.count(board.driver, { status: 'CLAIMED' })
      await perform(approvePlan, { ...board, actor: { human: 'ann' } }, {})
      return claimed
    }
    await sleep(50)
  }
}

async function approveWhatComes(project: TeamProject, ended: Promise<unknown>): Promise<void> {
  while ((await Promise.race([ended.then(() => 'over'), sleep(100)])) !== 'over')
    await perform(approvePlan, { ...(await project.desk()), actor: { human: 'ann' } }, {})
}

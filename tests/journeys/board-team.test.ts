import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readActivity } from '../../src/board/activity.ts'
import { approvePlan, waitingForApproval } from '../../src/board/approve-plan.ts'
import type { Desk } from '../../src/board/desk.ts'
import { tasks } from '../../src/store/tables.ts'
import { fileAt } from '../../src/worktrees/test-repository.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { teamProject, type TeamProject } from './team-project.ts'
import { assertReportFromLog, type TeamReport } from './team-report.ts'
import {
  added,
  approved,
  coder,
  committed,
  finalized,
  made,
  planner,
  rejected,
  removed,
  reply,
  reviewer,
  submitted,
  teamScript,
} from './team-script.ts'

const ids = ['list', 'count', 'sum', 'export']
const after = { depends_on: ['list'] }
const csv = { id: 'export-csv', description: 'Export as CSV', kind: 'doc', done_when: 'export.csv exists', scope: 'IN: CSV' }
const blocked = { blocked_reason: 'The spec names no format', blocked_questions: ['Which format?'], attempted: ['read spec.md'] }

const script = teamScript(
  reply(planner, 'INITIAL_PLANNING', added('list'), added('count', after), added('sum', after), added('export', after)),
  reply(planner, 'INITIAL_PLANNING', ...ids.map(finalized)),
  reply(planner, 'TRIGGER: BLOCKED_TASK export', {
    tool: 'supersede_task',
    input: { task: 'export', reason: 'No format was named', root_cause: 'The task was too wide', replacements: [csv] },
  }),
  reply(coder, 'MUST address each blocker', removed('list.txt'), made('list.txt', 'ann\nbob\n'), committed),
  reply(coder, 'MUST address each blocker', submitted),
  reply(coder, 'INTEGRATION FAILED', { tool: 'update_from_integration', input: {} }),
  reply(coder, 'INTEGRATION FAILED', removed('a.txt'), made('a.txt', 'count\nsum\n'), committed),
  reply(coder, 'INTEGRATION FAILED', submitted),
  reply(coder, 'TASK ID: list', made('list.txt', '\n'), committed),
  { ...reply(coder, 'TASK ID: count', removed('a.txt'), made('a.txt', 'count\n'), committed), delay_ms: 3_000 },
  { ...reply(coder, 'TASK ID: sum', removed('a.txt'), made('a.txt', 'sum\n'), committed), delay_ms: 3_000 },
  reply(coder, 'TASK ID: export-csv', made('export.csv', 'users\n'), committed),
  reply(coder, 'TASK ID: export\n', { tool: 'mark_blocked', input: blocked }),
  reply(coder, 'TASK ID: ', submitted),
  reply(reviewer, 'each earlier blocker', approved('1.1')),
  reply(reviewer, 'TASK ID: list', rejected('list.txt')),
  reply(reviewer, 'TASK ID: ', approved()),
)

test('[B130] a goal is planned, approved, coded, rejected and fixed, repaired after a conflict, rescoped and merged, and main stays as it was', async (t) => {
  const project = await teamProject(t, script)
  const main = await gitText(project.project, ['rev-parse', 'main'])
  const lines: string[] = []
  const goal = ['--goal', 'List the users', '--spec', 'spec.md']
  const team = ['team', ...goal, '--coders', '2', '--until-done', '--json', '--model', project.script]

  const { ended } = project.start(team, (line) => lines.push(line))
  const claimedBefore = await approveFirst(project)
  const approving = approveWhatComes(project, ended)
  const code = await ended
  await approving

  assert.equal(code, 0, lines.slice(-5).join('\n'))
  assert.equal(claimedBefore, 0, 'nothing is claimed before a person approved the plan')
  const desk = await project.desk()
  const states = Object.fromEntries((await tasks.list(desk.driver)).map(({ item }) => [item.id, item.status]))
  const merged = { list: 'MERGED', count: 'MERGED', sum: 'MERGED', 'export-csv': 'MERGED' }
  assert.deepEqual(states, { ...merged, export: 'SUPERSEDED' })
  assert.equal(await fileAt(project.project, 'integration', 'list.txt'), 'ann\nbob\n')
  assert.equal(await fileAt(project.project, 'integration', 'a.txt'), 'count\nsum\n')
  assert.equal(await fileAt(project.project, 'integration', 'export.csv'), 'users\n')
  assert.equal(await gitText(project.project, ['rev-parse', 'main']), main)
  assert.equal(await gitText(project.project, ['status', '--porcelain']), '')
  await assertStory(desk, JSON.parse(lines.at(-1) ?? '{}'))
})

/** Each way a task can go was gone once, and nothing woke the planner twice. */
async function assertStory(desk: Desk, report: TeamReport): Promise<void> {
  const count = await assertReportFromLog(desk, report)
  assert.deepEqual([count('rejected'), count('integration_failed'), count('blocked'), count('rescoped')], [1, 1, 1, 1])
  const log = await readActivity(desk.driver, desk.board_id, { limit: 10_000 })
  const woken = log.filter(({ action }) => action === 'planner_woken').map(({ detail }) => detail)
  assert.deepEqual(woken.length, new Set(woken).size, woken.join('\n'))
}

/** Waits until the plan is there; gives back how much was claimed by then. */
async function approveFirst(project: TeamProject): Promise<number> {
  for (;;) {
    const desk = await project.desk()
    if (desk.board_id !== '' && (await waitingForApproval(desk)).length === ids.length) {
      await sleep(500)
      const claimed = await tasks.count(desk.driver, { status: 'CLAIMED' })
      await approvePlan(desk, 'ann')
      return claimed
    }
    await sleep(50)
  }
}

async function approveWhatComes(project: TeamProject, ended: Promise<unknown>): Promise<void> {
  while ((await Promise.race([ended.then(() => 'over'), sleep(100)])) !== 'over') await approvePlan(await project.desk(), 'ann')
}

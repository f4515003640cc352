import assert from 'node:assert/strict'
import { readActivity, type ActivityLine } from '../../src/board/activity.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import type { Account } from '../../src/cli/test-account.ts'
import { tasks } from '../../src/store/tables.ts'
import { fileAt } from '../../src/worktrees/test-repository.ts'

/** What `troupe team --json` says last. */
interface TeamReport {
  tasks: object
  runs: number
  turns: number
  metrics: Record<string, number>
}

/** What `troubledScript` comes to: one task was rejected and fixed, one in conflict and repaired, one blocked and rescoped; and the report says no more than the log. */
export async function assertTroubleOvercome(
  { project }: Account,
  board: BoardWorkspace,
  report: TeamReport,
  states: object,
  repaired: string,
): Promise<void> {
  const tasksNow = await tasks.items(board.driver)
  assert.deepEqual(Object.fromEntries(tasksNow.map(({ id, status }) => [id, status])), states)
  assert.equal(await fileAt(project, 'integration', 'list.txt'), 'ann\nbob\n')
  assert.equal(await fileAt(project, 'integration', 'a.txt'), repaired)
  assert.equal(await fileAt(project, 'integration', 'export.csv'), 'users\n')
  const count = await assertReportFromLog(board, report)
  assert.deepEqual([count('rejected'), count('integration_failed'), count('blocked'), count('rescoped')], [1, 1, 1, 1])
}

/** Every number of a team's report is counted again from the activity log. Gives back how often each action is there. */
async function assertReportFromLog(board: BoardWorkspace, report: TeamReport): Promise<(action: string) => number> {
  const log = await readActivity(board.driver, board.board_id, { limit: 100_000 })
  const count = (action: string) => log.filter((line) => line.action === action).length
  const turns = log.reduce((sum, line) => (line.action === 'run_ended' ? sum + line.turns : sum), 0)
  const { metrics } = report
  assert.deepEqual(report.tasks, { MERGED: count('merged'), SUPERSEDED: count('rescoped') })
  assert.deepEqual([report.runs, report.turns], [count('run_ended'), turns])
  assert.deepEqual(
    [
      metrics['review_verdict_approvals'],
      metrics['review_verdict_rejections'],
      metrics['task_submitted_for_review_count'],
      metrics['iterations_total'],
    ],
    [count('approved'), count('rejected'), count('ready_for_review'), count('claimed')],
  )
  assertRestedOnce(log)
  return count
}

/** No cause was dealt with twice, whoever was killed while it was at one. */
function assertRestedOnce(log: readonly ActivityLine[]): void {
  const woken = log.filter(({ action }) => action === 'planner_woken')
  const rested = log.filter(({ action }) => action === 'planner_rests')
  assert.ok(rested.length <= new Set(woken.map(({ detail }) => detail)).size, woken.map(({ detail }) => detail).join('\n'))
}

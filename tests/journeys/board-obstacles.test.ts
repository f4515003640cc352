import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../src/domain/operation.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { pauseBoard, stopForLook } from '../../src/board/goal/control.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { ann, withSteps } from '../../src/board/test-board.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { boards } from '../../src/store/tables.ts'
import { gitText } from '../../src/worktrees/repository.ts'
import { addListTask, openBoard, teamProject } from './team-project.ts'
import { approved, coder, committed, made, reply, reviewer, submitted, teamScript } from './team-script.ts'

const script = teamScript(
  reply(coder, 'TASK ID: ', made('list.txt', 'ann\n'), committed, submitted),
  reply(reviewer, 'TASK ID: ', approved()),
)

/** Long enough for several tries to merge. */
const SOME_TRIES_MS = 4_500

test('[B164] a team says at its start what keeps it from its goal, and why it cannot merge once, and goes on when that has changed', async (t) => {
  const project = await teamProject(t, script)
  await writeFile(join(project.project, '.gitmodules'), '')
  const board = await openBoard(project, { auto_approve: true, integration_branch: 'main' })
  const said: string[] = []
  const has = (part: RegExp) => said.some((line) => part.test(line))
  const refusals = () => said.filter((line) => /list could not be merged: the branch main is checked out/.test(line)).length

  const team = project.start(['team', '--until-done', '--model', project.model], (line) => said.push(line))
  await until(() => has(/no tasks and the team has no planner: add --planner/))
  await until(
    () =>
      has(/Nothing can be merged while main is checked out/) &&
      has(/No merge check is set/) &&
      has(/Submodules are empty in the worktrees/),
  )
  await addListTask(board)
  await until(() => refusals() > 0)
  await sleep(SOME_TRIES_MS)
  await gitText(project.project, ['switch', '--quiet', '--create', 'mine'])

  assert.equal(await team.ended, 0)
  assert.equal(refusals(), 1)
})

test('[B164] a team on a board that stands still says so, since when, by whom and what goes on, when it waits and when it is sent home', async (t) => {
  const project = await teamProject(t, script)
  const board = await openBoard(project)
  const said: string[] = []
  const team = ['team', '--model', project.model]
  const stands = (stop: RegExp) => said.filter((line) => stop.test(line)).length

  await perform(pauseBoard, { ...board, actor: ann }, { message: 'lunch' })
  const waiting = project.start(team, (line) => said.push(line))
  await until(() => stands(/under PAUSE since .* by ann: lunch; .*: troupe board resume$/) === 1)
  waiting.child.kill('SIGINT')
  await waiting.ended
  await halt(board)
  await project.start(team, (line) => said.push(line)).ended

  assert.equal(stands(/under CHECKPOINT since .* by circuit-breaker: retry_cluster; .*: troupe board resume "DECISION"$/), 2)
})

/** As the circuit breaker stops a board that comes to nothing. */
async function halt(board: BoardWorkspace): Promise<void> {
  await stopForLook(board, 'circuit-breaker', 'retry_cluster', 'supervisor')
  const was = await boards.get(board.driver, board.board_id)
  const { signal, circuit_breaker } = was.item
  const trigger = {
    timestamp: signal?.since ?? '',
    pattern: 'retry_cluster',
    severity: 'high',
    response: 'halt' as const,
    report_file: 'r.md',
  }
  await boards.replace(board.driver, was, { ...was.item, circuit_breaker: { ...circuit_breaker, current_trigger: trigger } })
}

test('[B160] a merge that comes to nothing says why and ends with an exit code, so that no script takes it for done', async (t) => {
  const project = await teamProject(t, script)
  const board = withSteps(await openBoard(project))
  await addListTask(board)
  const [coding, reviewing] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  await board.submitted(coding, 'list', 'list.txt', 'ann\n')
  await board.approved(reviewing, 'list')
  await board.work('list', 'more.txt', 'bob\n')

  const lines: string[] = []
  const code = await project.start(['board', 'merge', 'list'], (line) => lines.push(line)).ended

  assert.equal(code, 42)
  assert.match(lines.join('\n'), /list {2}REJECTED[^]*Not merged: The approval was voided: task\/list is at/)
})

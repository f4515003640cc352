import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { stopPlaying } from '../../agent/run/background.ts'
import { actionsOf, approving, coding, type Cast } from '../../board/team/test-team.ts'
import { each } from '../../domain/test-each.ts'
import { until } from '../../sandbox/test-until.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { openBoard } from './test-board.ts'

const working: Cast = { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving }
const hanging: Cast = { coder: () => ({ fail: 'hang' }) }

test('[B166] a team that a person starts works on the board until its goal is reached, and the log says when it began and ended', async (t) => {
  const { board, read, perform } = await openHere(t, working)
  await board.ready()

  const answer = await perform('start_team', { planner: false })
  const started = await read('view_team')
  await until(async () => !(await read('view_team')).at_work)

  assert.equal(answer.status, 200)
  assert.deepEqual(started, { at_work: true, ended: null })
  assert.deepEqual(await read('view_team'), { at_work: false, ended: 'the goal is COMPLETED' })
  assert.equal(await fileAt(board.repository.root, 'integration', 'task-1.txt'), 'users\n')
  const actions = await actionsOf(board)
  assert.ok(actions.indexOf('user team_started') < actions.indexOf('coder-1 registered'))
  await until(async () => (await actionsOf(board)).includes('user team_ended'))
})

test('[B167] a team that is stopped gives back what it holds and leaves, as do all teams of a server that ends', async (t) => {
  const { server, board, read, perform } = await openHere(t, hanging)
  await board.ready()
  const atWork = () => until(async () => (await board.task('task-1')).status === 'CLAIMED')

  await perform('start_team', {})
  await atWork()
  const stopped = await perform('stop_team', {})
  const freed = (await board.task('task-1')).status
  await perform('start_team', {})
  await atWork()
  await stopPlaying(server.services.teams.playing)

  assert.deepEqual([stopped.status, freed, (await board.task('task-1')).status], [200, 'UNCLAIMED', 'UNCLAIMED'])
  assert.deepEqual([(await read('view')).agents, (await read('view_team')).at_work], [[], false])
})

test('[B166] refused are a second team, one without members, one for a goal that is over, one for another folder, and stopping none', async (t) => {
  const { server, board, read, perform } = await openHere(t, hanging)
  await board.ready()

  const none = await perform('stop_team', {})
  const empty = await perform('start_team', { planner: false, coders: 0, reviewers: 0 })
  const tooMany = await perform('start_team', { coders: 21 })
  await perform('start_team', {})
  const second = await perform('start_team', {})
  await perform('stop_team', {})
  await read('abort', { message: 'Enough' })
  const over = await perform('start_team', {})
  server.services.workspace = '/'
  const elsewhere = await perform('start_team', {})

  assert.deepEqual(each([none, empty, tooMany, second, over, elsewhere], 'status'), [404, 400, 400, 409, 409, 400])
  assert.match(second.text, /at work on this goal already/)
  assert.match(over.text, /is ABORTED/)
  assert.match(elsewhere.text, /this server was started in \/; for a team at .* start one there/)
})

/** A board in the folder the server was started in. */
async function openHere(t: TestContext, cast: Cast) {
  const opened = await openBoard(t, {}, cast)
  opened.server.services.workspace = opened.board.repository.root
  return opened
}

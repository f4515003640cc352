import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { stopPlaying } from '../../agent/background.ts'
import { actionsOf, approving, coding, type Cast } from '../../board/team/test-team.ts'
import { each } from '../../domain/test-each.ts'
import { until } from '../../sandbox/test-until.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { openBoard } from './test-board.ts'

const working: Cast = { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving }
const hanging: Cast = { coder: () => ({ fail: 'hang' }) }

test('[B166] a team that a person starts works on the board until its goal is reached, and the log says when it began and ended', async (t) => {
  const { board, get, post } = await openHere(t, working)
  await board.ready()

  const answer = await post('/team', { planner: false })
  const started = (await get('')).team
  await until(async () => !(await get('')).team.at_work)

  assert.equal(answer.status, 200)
  assert.deepEqual(started, { at_work: true, ended: null })
  assert.deepEqual((await get('')).team, { at_work: false, ended: 'the goal is COMPLETED' })
  assert.equal(await fileAt(board.repository.root, 'integration', 'task-1.txt'), 'users\n')
  const actions = await actionsOf(board)
  assert.ok(actions.indexOf('user team_started') < actions.indexOf('coder-1 registered'))
  await until(async () => (await actionsOf(board)).includes('user team_ended'))
})

test('[B167] a team that is stopped gives back what it holds and leaves, as do all teams of a server that ends', async (t) => {
  const { server, board, get, post, remove } = await openHere(t, hanging)
  await board.ready()
  const atWork = () => until(async () => (await board.task('task-1')).status === 'CLAIMED')

  await post('/team', {})
  await atWork()
  const stopped = await remove('/team')
  const freed = (await board.task('task-1')).status
  await post('/team', {})
  await atWork()
  await stopPlaying(server.services.teams.playing)

  assert.deepEqual([stopped.status, freed, (await board.task('task-1')).status], [200, 'UNCLAIMED', 'UNCLAIMED'])
  assert.deepEqual([(await get('')).agents, (await get('')).team.at_work], [[], false])
})

test('[B166] refused are a second team, one without members, one for a goal that is over, one for another folder, and stopping none', async (t) => {
  const { server, board, post, remove } = await openHere(t, hanging)
  await board.ready()

  const none = await remove('/team')
  const empty = await post('/team', { planner: false, coders: 0, reviewers: 0 })
  const tooMany = await post('/team', { coders: 21 })
  await post('/team', {})
  const second = await post('/team', {})
  await remove('/team')
  await post('/signal', { signal: 'ABORT', message: 'Enough' })
  const over = await post('/team', {})
  server.services.workspace = '/'
  const elsewhere = await post('/team', {})

  assert.deepEqual(each([none, empty, tooMany, second, over, elsewhere], 'status'), [404, 400, 400, 409, 409, 400])
  assert.match(second.text, /at work on this goal already/)
  assert.match(over.text, /this goal is ABORTED/)
  assert.match(elsewhere.text, /this server was started in \/; for a team at .* troupe team --planner/)
})

/** A board in the folder the server was started in. */
async function openHere(t: TestContext, cast: Cast) {
  const opened = await openBoard(t, {}, cast)
  opened.server.services.workspace = opened.board.repository.root
  return opened
}

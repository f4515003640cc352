import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readActivity, type ActivityLine } from '../activity.ts'
import { addTask } from '../add.ts'
import { ann, readyBoard, testBoard } from '../test-board.ts'
import { until } from '../../sandbox/test-until.ts'
import { boardAgents } from '../../store/tables.ts'
import { isDeadEnd } from './dead-end.ts'
import { approving, call, coder, coding, never, planner, reviewer, testStation } from './test-team.ts'
import { runTeam } from './team.ts'

test('[B170] a coder that has handed in does not wait for reviewers that have stopped', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })
  const station = await testStation(t, board, {
    coder: coding(({ task }) => `${task}.txt`),
    code_reviewer: () => ({ fail: 402, said: 'insufficient_quota' }),
  })

  const { goal, members } = await runTeam(station, { members: [coder, reviewer], untilDone: true }, never)

  assert.deepEqual([goal, members.map(({ reason }) => reason)], ['IN_PROGRESS', ['idle', 'quota']])
  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

test('[B163] what happens last before a team ends is told before it has ended', async (t) => {
  const board = await readyBoard(t)
  const blocked = { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }
  const station = await testStation(t, board, { coder: () => call('mark_blocked', blocked) })
  const told: ActivityLine[] = []
  station.bulletin.listen((lines) => told.push(...lines))

  await runTeam(station, { members: [coder], untilDone: true }, never)

  assert.deepEqual(told.slice(-3), (await readActivity(board.driver, board.board_id)).slice(-3))
  assert.equal(told.at(-1)?.action, 'left')
})

test('[B170] a team of reviewers waits for coders that come from elsewhere', async (t) => {
  const board = await readyBoard(t)
  const station = await testStation(t, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })

  const team = runTeam(station, { members: [reviewer], untilDone: true }, never)
  await until(async () => (await boardAgents.items(board.driver)).some(({ status }) => status === 'IDLE'))
  const other = runTeam(station, { members: [coder], untilDone: true }, never)

  assert.deepEqual([(await team).goal, (await other).goal], ['COMPLETED', 'COMPLETED'])
})

test('[B170] a team waits for what a person has begun to plan, unless planning was left to a planner that has stopped', async (t) => {
  const board = await testBoard(t)
  await addTask(board, ann, { description: 'Begun' })
  const others = [coder, reviewer]

  const answers = [await isDeadEnd(board, others, others), await isDeadEnd(board, [planner, ...others], others)]

  assert.deepEqual(answers, [false, true])
})

test('[B170] a team without a planner ends when all that is left is blocked, or waits for what is', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })
  const station = await testStation(t, board, {
    coder: () => call('mark_blocked', { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }),
  })

  const { goal, members } = await runTeam(station, { members: [coder, reviewer], untilDone: true }, never)

  assert.deepEqual([goal, members.map(({ reason }) => reason)], ['IN_PROGRESS', ['idle', 'idle']])
})

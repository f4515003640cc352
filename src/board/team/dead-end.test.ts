import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { readActivity, type ActivityLine } from '../activity.ts'
import { addTask } from '../task/add.ts'
import { ann, readyBoard, testBoard } from '../test-board.ts'
import { until } from '../../sandbox/test-until.ts'
import { boardAgents } from '../../store/tables.ts'
import { isDeadEnd, runTeam } from './team.ts'
import type { NextStep } from '../../domain/problem.ts'
import { waitingForPerson } from './waiting-for-person.ts'
import { approving, call, coder, coding, never, planner, reviewer, testStation } from './test-team.ts'

test('[B170] a coder that has handed in does not wait for reviewers that have stopped', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })
  const team = await testStation(t, board, {
    coder: coding(({ task }) => `${task}.txt`),
    code_reviewer: () => ({ fail: 402, said: 'insufficient_quota' }),
  })

  const { goal, members } = await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  assert.deepEqual([goal, members.map(({ reason }) => reason)], ['IN_PROGRESS', ['idle', 'quota']])
  assert.equal((await board.task('task-1')).status, 'READY_FOR_REVIEW')
})

test('[B163] what happens last before a team ends is told before it has ended', async (t) => {
  const board = await readyBoard(t)
  const blocked = { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }
  const team = await testStation(t, board, { coder: () => call('mark_blocked', blocked) })
  const told: ActivityLine[] = []
  team.feed.listen((lines) => told.push(...lines))

  await runTeam(team, { members: [coder], untilDone: true }, never)

  assert.deepEqual(told.slice(-3), (await readActivity(board.driver, board.board_id)).slice(-3))
  assert.equal(told.at(-1)?.action, 'left')
})

test('[B170] a team of reviewers waits for coders that come from elsewhere', async (t) => {
  const board = await readyBoard(t)
  const context = await testStation(t, board, { coder: coding(({ task }) => `${task}.txt`), code_reviewer: approving })

  const team = runTeam(context, { members: [reviewer], untilDone: true }, never)
  await until(async () => (await boardAgents.items(board.driver)).some(({ status }) => status === 'IDLE'))
  const other = runTeam(context, { members: [coder], untilDone: true }, never)

  assert.deepEqual([(await team).goal, (await other).goal], ['COMPLETED', 'COMPLETED'])
})

test('[B170] a team waits for what a person has begun to plan, unless planning was left to a planner that has stopped', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { description: 'Begun' })
  const others = [coder, reviewer]

  const answers = [await isDeadEnd(board, others, others), await isDeadEnd(board, [planner, ...others], others)]

  assert.deepEqual(answers, [false, true])
})

test('[B170] a team without a planner ends when all that is left is blocked, or waits for what is', async (t) => {
  const board = await readyBoard(t)
  await board.ready({ depends_on: ['task-1'] })
  const team = await testStation(t, board, {
    coder: () => call('mark_blocked', { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }),
  })

  const { goal, members } = await runTeam(team, { members: [coder, reviewer], untilDone: true }, never)

  assert.deepEqual([goal, members.map(({ reason }) => reason)], ['IN_PROGRESS', ['idle', 'idle']])
})

const asks = { blocked_reason: 'No format is named', blocked_questions: ['Which format?'] }

test('[B170] a team whose planner made no plan ends, and says so', async (t) => {
  const board = await testBoard(t)
  const team = await testStation(t, board, { planner: () => ({ text: 'There is nothing to do.' }) })

  const { members } = await runTeam(team, { members: [planner, coder, reviewer], untilDone: true }, never)

  assert.deepEqual(members.map(({ reason }) => reason).toSorted(), ['idle', 'idle', 'no_plan'])
})

test('[B170] a team whose planner leaves a blocked task to a person ends', async (t) => {
  const board = await readyBoard(t)
  const cast = { coder: () => call('mark_blocked', asks), planner: () => ({ text: 'Only a person knows the format.' }) }

  const { goal, members } = await runTeam(
    await testStation(t, board, cast),
    { members: [planner, coder, reviewer], untilDone: true },
    never,
  )

  assert.deepEqual([goal, members.map(({ reason }) => reason)], ['IN_PROGRESS', ['idle', 'idle', 'idle']])
  const [waiting] = await waitingForPerson(board)
  assert.match(waiting?.text ?? '', /Which format\?/)
  assert.deepEqual(waiting?.next, [{ operation: 'board.unblock_task', input: { task: 'task-1', answer: 'ANSWER' } }])
})

test('[B170] a team whose plan nobody approved says at once how to approve it, and ends unless it is to wait for that', async (t) => {
  const board = await testBoard(t)
  const plan = { id: 'first', description: 'List', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: the list' }
  const steps = [call('add_task', plan), call('finalize_task', { task: 'first' })]
  const advised: (string | undefined)[] = []
  const cast = { planner: ({ asked }: { asked: number }) => steps[asked] ?? { text: 'That is the plan.' } }
  const station = {
    ...(await testStation(t, board, cast)),
    say: (_text: string, next: readonly NextStep[] = []) => void advised.push(next[0]?.operation),
  }

  const { members } = await runTeam(station, { members: [planner, coder, reviewer], untilDone: true }, never)

  assert.deepEqual(
    members.map(({ reason }) => reason),
    ['idle', 'idle', 'idle'],
  )
  assert.equal(advised.filter((operation) => operation === 'board.approve_plan').length, 1)
  assert.equal(await isDeadEnd(board, [planner, coder], [planner, coder], true), false)
})

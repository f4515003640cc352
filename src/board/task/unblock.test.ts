import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { approvePlan } from './approve-plan.ts'
import { holdTask } from './block.ts'
import { claimWithWorktree } from './claim.ts'
import { boardState } from '../view/state.ts'
import { ann, readyBoard } from '../test-board.ts'
import { unblockTask } from './unblock.ts'

test('[B43] a task that is said anew passes the gates of a new one, and the goal tells of it', async (t) => {
  const board = await readyBoard(t)
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'the order is not said' })
  const anew = (spec_ref: string) =>
    unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'By name.', spec_ref, scope: 'IN: names' })

  await assert.rejects(anew('gone.md'), { code: 'bad_input', message: /task-1 stays BLOCKED\. spec_ref: gone\.md is not a file/ })
  const { status, spec_hash } = await anew('spec.md')

  const { goal } = await boardState(board)
  assert.deepEqual([status, spec_hash === null], ['UNCLAIMED', false])
  assert.deepEqual(
    goal.alignment_history.filter(({ event }) => event === 'rescope_task-1').map(({ summary }) => summary),
    ['redefined in spec_ref, scope: By name. Root cause: the order is not said'],
  )
})

test('[B14] what a planner puts in the place of approved words is not claimed before a person approved it too', async (t) => {
  const board = await readyBoard(t)
  const [planner, coder] = [await board.agent('planner-1'), await board.agent('coder-1')]
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'the order is not said' })
  await unblockTask.run({ ...board, actor: planner }, { task: 'task-1', answer: 'By name.' })
  const answered = await board.task('task-1')
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: 'the order is still not said' })

  await unblockTask.run({ ...board, actor: planner }, { task: 'task-1', answer: 'By name.', description: 'Delete the users' })
  await assert.rejects(claimWithWorktree(board, coder, 'task-1'), { code: 'needs_person', message: /before a person approves the plan/ })
  await perform(approvePlan, { ...board, actor: { human: 'ann' } }, {})

  assert.equal(answered.plan_approved_by, 'ann')
  assert.equal((await claimWithWorktree(board, coder))?.description, 'Delete the users')
})

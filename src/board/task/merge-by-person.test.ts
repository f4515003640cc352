import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ann, approvedBoard, testBoard } from '../test-board.ts'
import { mergeTask } from './merge.ts'

test('[B234] a person merges approved work as a person, under their own name', async (t) => {
  const { board } = await approvedBoard(t)

  const { status, history } = await mergeTask.run({ ...board, actor: ann }, { task: 'task-1' })

  assert.deepEqual([status, history.at(-1)?.event, history.at(-1)?.agent], ['MERGED', 'merged', 'ann'])
})

test('[B234] what a merge finds wrong is written down under the name of the person who merges', async (t) => {
  const board = await testBoard(t)
  const [one, two, reviewer] = [await board.agent('coder-1'), await board.agent('coder-2'), await board.agent('code-reviewer-1')]
  for (const id of ['one', 'two']) await board.ready({ id })
  await board.submitted(one, 'one', 'a.txt', 'mine\n')
  await board.submitted(two, 'two', 'a.txt', 'theirs\n')
  for (const id of ['one', 'two']) await board.approved(reviewer, id)
  await mergeTask.run({ ...board, actor: ann }, { task: 'one' })

  const { status, history } = await mergeTask.run({ ...board, actor: ann }, { task: 'two' })

  assert.deepEqual([status, history.at(-1)?.event, history.at(-1)?.agent], ['INTEGRATION_FAILED', 'integration_failed', 'ann'])
})

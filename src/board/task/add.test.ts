import assert from 'node:assert/strict'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { each } from '../../domain/test-each.ts'
import { addTask } from './add.ts'
import { abandonTask } from './supersede.ts'
import { ann, readyBoard, testBoard } from '../test-board.ts'

test('[B42] a task without an id is given the next free one, whatever names people gave before', async (t) => {
  const board = await testBoard(t)
  await perform(addTask, { ...board, actor: ann }, { id: 'task-2', description: 'Named by a person' })

  const given = [
    await perform(addTask, { ...board, actor: ann }, { description: 'First' }),
    await perform(addTask, { ...board, actor: ann }, { description: 'Second' }),
  ]

  assert.deepEqual(each(given, 'id'), ['task-3', 'task-4'])
})

test('[B45] a goal that is reached takes no more tasks, because no team would work on them', async (t) => {
  const board = await readyBoard(t)
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', reason: 'Not needed', root_cause: 'The spec dropped it' })

  await assert.rejects(perform(addTask, { ...board, actor: ann }, { description: 'One more' }), {
    code: 'move_refused',
    next: [{ operation: 'board.init', input: { goal: 'GOAL', spec_ref: 'SPEC_FILE' } }],
  })
})

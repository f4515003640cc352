import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addHumanNote } from '../report.ts'
import { readyBoard } from '../test-board.ts'
import { openPost } from './post.ts'
import { coder, never, testStation } from './test-team.ts'

test('[B94] an outside agent that asks again for the work it has is told the notes that were said meanwhile', async (t) => {
  const board = await readyBoard(t)
  const post = await openPost(await testStation(t, board, {}), coder, never)
  const before = await post.next(0)

  await addHumanNote(board, 'ann', { task: 'task-1', message: 'Sort by name' })
  const after = await post.next(0)
  await post.leave('it is through')

  assert.doesNotMatch(before?.prompt ?? '', /Sort by name/)
  assert.match(after?.prompt ?? '', /ann: Sort by name/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addHumanNote } from '../report.ts'
import { readyBoard } from '../test-board.ts'
import { openPost } from './post.ts'
import { actionsOf, coder, never, testStation } from './test-team.ts'

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

test('[B95] an outside agent that handed over comes back as a fresh registration when it asks for work, with the word it left', async (t) => {
  const board = await readyBoard(t)
  const post = await openPost(await testStation(t, board, {}), coder, never)
  await post.next(0)

  await post.move('write_handoff', { summary: 'half is written', next_action: 'write the rest' })
  const order = await post.next(0)
  await post.move('write_checkpoint', { intent: 'write the rest' })
  await post.leave('it is through')

  assert.match(order?.prompt ?? '', /HANDOFF from coder-1: half is written\nNEXT ACTION: write the rest/)
  const actions = await actionsOf(board)
  assert.equal(actions.filter((action) => action === 'coder-1 registered').length, 2)
  assert.ok(!actions.includes('coder-1 claim_failed'))
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { addHumanNote } from '../view/report.ts'
import { gitText } from '../../worktrees/repository.ts'
import { ann, readyBoard, submittedBoard } from '../test-board.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { until } from '../../sandbox/test-until.ts'
import { openOutsideSession } from './outside-session.ts'
import { actionsOf, coder, never, reviewer, testStation } from './test-team.ts'

test('[B94] an outside agent that asks again for the work it has is told the notes that were said meanwhile', async (t) => {
  const board = await readyBoard(t)
  const post = await openOutsideSession(await testStation(t, board, {}), coder, never)
  const before = await post.next(0)

  await perform(addHumanNote, { ...board, actor: ann }, { task: 'task-1', message: 'Sort by name' })
  const after = await post.next(0)
  await post.leave('it is through')

  assert.doesNotMatch(before?.prompt ?? '', /Sort by name/)
  assert.match(after?.prompt ?? '', /ann: Sort by name/)
})

test('[B95] an outside agent that handed over comes back as a fresh registration when it asks for work, with the word it left', async (t) => {
  const board = await readyBoard(t)
  const post = await openOutsideSession(await testStation(t, board, {}), coder, never)
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

const approval = { verdict: 'APPROVED', criteria: [{ criterion: 'done_when', evidence: 'a.txt' }] }

test('[B87] what an outside reviewer approves is merged though nobody else supervises, and it is told so', async (t) => {
  const { board } = await submittedBoard(t)
  const post = await openOutsideSession(await testStation(t, board, {}), reviewer, never)
  await post.next(0)

  const { output, ends } = await post.move('submit_verdict', approval)
  await post.leave('it is through')

  assert.deepEqual([output, ends], ['task-1 was approved and is MERGED now', true])
  assert.equal((await board.task('task-1')).status, 'MERGED')
})

test('[B87] an outside reviewer is not kept waiting for a merge that takes long, which goes on without it', async (t) => {
  const { board } = await submittedBoard(t)
  const post = await openOutsideSession(await testStation(t, board, {}), reviewer, never, 0)
  await post.next(0)

  const { output } = await post.move('submit_verdict', approval)
  await until(async () => (await board.task('task-1')).status === 'MERGED')
  await post.leave('it is through')

  assert.match(output, /^task-1 is APPROVED and being merged; stay connected/)
})

test('[B87] an outside reviewer is told why what it approved could not be merged', async (t) => {
  const { board } = await submittedBoard(t)
  const post = await openOutsideSession(await testStation(t, board, {}), reviewer, never)
  await post.next(0)
  await gitText(board.repository.root, ['worktree', 'add', '--quiet', join(await testFolder(t), 'looking'), 'integration'])

  const { output } = await post.move('submit_verdict', approval)
  await post.leave('it is through')

  assert.match(output, /^task-1 is APPROVED, but task-1 could not be merged: .*integration/)
})

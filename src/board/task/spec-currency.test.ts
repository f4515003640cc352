import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeWork } from './merge.ts'
import { recordsOf } from '../records.ts'
import { knownSpec, readSpec } from '../goal/spec.ts'
import { integrationNow } from '../goal/take-in.ts'
import { anApproval, approvedBoard, commitSpec, reviewedBoard } from '../test-board.ts'

test('[B22] a spec that changes or goes during a review is logged too, and what was read before is not approved', async (t) => {
  const { board, commit, spec_hash, give } = await reviewedBoard(t)
  const approve = (hash: string | null) => give(anApproval(commit, hash))
  const known = async () => {
    const task = await board.task('task-1')
    return knownSpec(board, task, await readSpec(board.repository, await integrationNow(board), task.spec_ref))
  }

  await commitSpec(board, null)
  await assert.rejects(approve(spec_hash), { code: 'conflict', message: /is gone; restore it, or reject the work/ })
  await commitSpec(board, '# Users\n\nList them by name.\n')
  const before = await known()
  await assert.rejects(approve(before), { code: 'conflict', message: /not what the work was held against[^]*\+List them by name/ })
  const approved = await approve(await known())

  assert.deepEqual([before, approved.status, approved.approved_spec_hash], [spec_hash, 'APPROVED', await known()])
  const logged = (await recordsOf(board, 'anomaly', 'task-1')).map(({ type }) => type)
  assert.deepEqual(logged, ['spec_changed', 'spec_changed'])
})

test('[B32] what was held against a spec that is gone waits for it and is not merged', async (t) => {
  const { board, reviewer } = await approvedBoard(t)
  await commitSpec(board, null)

  await assert.rejects(mergeWork(board, reviewer, 'task-1'), { code: 'conflict', message: /is gone; bring it back to merge it/ })

  assert.equal((await board.task('task-1')).status, 'APPROVED')
})

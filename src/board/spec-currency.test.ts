import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mergeTask } from './merge.ts'
import { recordsOf } from './records.ts'
import { claimReview } from './review.ts'
import { knownSpec } from './spec-currency.ts'
import { readSpec } from './spec.ts'
import { anApproval, readyBoard } from './test-board.ts'
import { submitVerdict } from './verdict.ts'

test('[B22] a spec that changes or goes during a review is logged too, and what was read before is not approved', async (t) => {
  const board = await readyBoard(t)
  const reviewer = await board.agent('code-reviewer-1')
  const { spec_ref, spec_hash, review_commit } = await board.submitted(await board.agent('coder-1'), 'task-1')
  await claimReview(board, reviewer)
  const approve = (hash: string | null) => submitVerdict(board, reviewer, 'task-1', anApproval(review_commit ?? '', hash))
  const known = async () => knownSpec(board, await board.task('task-1'), await readSpec(board.repository.root, spec_ref))
  const spec = join(board.repository.root, 'spec.md')

  await rm(spec)
  await assert.rejects(approve(spec_hash), { code: 'conflict', message: /is gone; bring it back, or reject the work/ })
  await writeFile(spec, '# Users\n\nList them by name.\n')
  const before = await known()
  await assert.rejects(approve(before), { code: 'conflict', message: /not what the work was held against[^]*\+List them by name/ })
  const approved = await approve(await known())

  assert.deepEqual([before, approved.status, approved.approved_spec_hash], [spec_hash, 'APPROVED', await known()])
  const logged = (await recordsOf(board, 'anomaly', 'task-1')).map(({ type }) => type)
  assert.deepEqual(logged, ['spec_changed', 'spec_changed'])
})

test('[B32] what was held against a spec that is gone waits for it and is not merged', async (t) => {
  const board = await readyBoard(t)
  await board.submitted(await board.agent('coder-1'), 'task-1')
  const reviewer = await board.agent('code-reviewer-1')
  await board.approved(reviewer, 'task-1')
  await rm(join(board.repository.root, 'spec.md'))

  await assert.rejects(mergeTask(board, reviewer, 'task-1'), { code: 'conflict', message: /is gone; bring it back to merge it/ })

  assert.equal((await board.task('task-1')).status, 'APPROVED')
})

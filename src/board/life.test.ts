import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { branchHead } from '../worktrees/branch.ts'
import { fileAt } from '../worktrees/test-repository.ts'
import { gitText } from '../worktrees/repository.ts'
import { readActivity } from './activity.ts'
import { mergeWork } from './task/merge.ts'
import { claimReview } from './task/review.ts'
import { anApproval, aRejection, testBoard } from './test-board.ts'
import { recordVerdict } from './task/verdict.ts'

test('[B1] a task goes from claim through rejection and approval into the integration branch, and the person’s checkout stays as it was', async (t) => {
  const board = await testBoard(t)
  const [coder, reviewer] = [await board.agent('coder-1'), await board.agent('code-reviewer-1')]
  await writeFile(join(board.repository.root, 'mine.txt'), 'not committed')
  const before = await gitText(board.repository.root, ['status', '--porcelain', '--branch'])
  await board.ready()

  const first = await board.submitted(coder, 'task-1')
  await claimReview(board, reviewer)
  await recordVerdict(board, reviewer, 'task-1', aRejection(first.review_commit ?? ''))
  const { review_commit, spec_hash } = await board.submitted(coder, 'task-1', 'fixed.txt', 'fixed\n')
  await claimReview(board, reviewer)
  const prior_findings = [{ id: '1.1', status: 'RESOLVED' }]
  await recordVerdict(board, reviewer, 'task-1', anApproval(review_commit ?? '', spec_hash, { prior_findings }))
  const merged = await mergeWork(board, reviewer, 'task-1')

  const head = await branchHead(board.repository, 'integration')
  assert.deepEqual([merged.status, merged.merge_commit, merged.worktree, merged.iteration], ['MERGED', head, null, 2])
  assert.equal(await fileAt(board.repository.root, 'integration', 'fixed.txt'), 'fixed\n')
  assert.match(
    await gitText(board.repository.root, ['show', '-s', '--format=%an %B', 'integration']),
    /^code-reviewer-1 Merge task-1[^]*Troupe-Reviewer: code-reviewer-1/,
  )
  assert.equal(await gitText(board.repository.root, ['status', '--porcelain', '--branch']), before)
  assert.equal(await readFile(join(board.repository.root, 'mine.txt'), 'utf8'), 'not committed')
  assert.equal(existsSync(join(board.repository.root, '.troupe/worktrees/task-1')), false)
  const actions = (await readActivity(board.driver, board.board_id)).map(({ action }) => action)
  const round = ['claimed', 'ready_for_review', 'review_claimed']
  assert.deepEqual(actions.slice(-9), [...round, 'rejected', ...round, 'approved', 'merged'])
})

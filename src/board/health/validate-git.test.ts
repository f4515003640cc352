import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../../domain/test-each.ts'
import { branchHead, keepUnderRef } from '../../worktrees/branch.ts'
import { gitText } from '../../worktrees/repository.ts'
import { mergeWork } from '../task/merge.ts'
import { boardState } from '../view/state.ts'
import { approvedBoard, claimedBoard, type TestBoard } from '../test-board.ts'
import { validateGit, validateState } from './validate.ts'

const brokenRules = async (board: TestBoard) => {
  const git = await validateGit(board)
  const found = validateState(await boardState(board), { root: board.repository.root, now: await board.driver.now(), git })
  return rowsOf(found, 'rule', 'subject')
}

test('[B229] merged work that somebody took off the integration branch is found', async (t) => {
  const { board, reviewer } = await approvedBoard(t)
  await mergeWork(board, reviewer, 'task-1')
  const sound = await brokenRules(board)

  await gitText(board.repository.root, ['branch', '--force', 'integration', 'main'])
  const reset = await brokenRules(board)
  await gitText(board.repository.root, ['branch', '--delete', '--force', 'integration'])

  assert.deepEqual([sound, reset], [[], [[61, 'task-1']]])
  assert.deepEqual(await brokenRules(board), [[61, 'board']])
})

test('[B229] a branch that moved after its submission and a worktree on another branch are found, and kept work is listed', async (t) => {
  const { board } = await approvedBoard(t)
  const claimed = await claimedBoard(t)
  const before = [await brokenRules(board), await brokenRules(claimed.board)]
  await board.work('task-1', 'late.txt', 'late\n')
  const path = `${claimed.board.repository.root}/.troupe/worktrees/task-1`
  await gitText(path, ['checkout', '--quiet', '-b', 'elsewhere'])
  const head = (await branchHead(board.repository, 'main')) ?? ''
  await keepUnderRef(board.repository, `${board.board_id}/task-1/aside`, head)

  const after = [await brokenRules(board), await brokenRules(claimed.board)]

  assert.deepEqual(before, [[], []])
  assert.deepEqual(after, [[[62, 'task-1']], [[62, 'task-1']]])
  assert.deepEqual((await validateGit(board)).kept_refs, [`refs/troupe/${board.board_id}/task-1/aside`])
})

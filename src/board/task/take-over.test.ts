import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { lastEvent, type TaskEvent } from '../../domain/board/event.ts'
import { gitText, isAncestor } from '../../worktrees/repository.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { blockTask } from './block.ts'
import { claimWithWorktree } from './claim.ts'
import { mergeWork } from './merge.ts'
import { placeOf } from '../worktree/prepare.ts'
import { releaseClaim } from './release.ts'
import { claimReview } from './review.ts'
import { submitTask } from './submit/submit.ts'
import { ann, aRejection, claimedBoard, readyBoard, reviewedBoard, type TestBoard } from '../test-board.ts'
import { leftoverText } from '../team/task-text.ts'
import { unblockTask } from './unblock.ts'
import { getTask } from './show.ts'

test('[B201] a rejected task that goes to another coder brings its commits along, and its review covers them', async (t) => {
  const { board, commit, give } = await reviewedBoard(t)
  const two = await board.agent('coder-2')
  await give(aRejection(commit))
  await board.expire('coder-1')

  const taken = await claimWithWorktree(board, two)
  const again = await submitTask(board, two, 'task-1', await board.work('task-1', 'b.txt', 'fixed'))

  assert.equal(taken?.assigned_to, 'coder-2')
  assert.equal(await readFile(inWorktree(board, 'task-1.txt'), 'utf8'), 'users\n')
  assert.ok(await isAncestor(board.repository.root, commit, again.review_commit ?? ''))
  assert.deepEqual(await filesIn(board, again.base_commit, again.review_commit), ['b.txt', 'task-1.txt'])
  const event = takeOverOf(taken?.history)
  assert.deepEqual([event['from'], event['commits'], event['uncommitted'], event['conflicts']], ['coder-1', 1, 'none', []])
})

test('[B201] the work of a coder that died or gave its task back comes along, uncommitted files too, on top of what was merged meanwhile', async (t) => {
  const { board, coder } = await claimedBoard(t)
  const [two, three, reviewer] = [await board.agent('coder-2'), await board.agent('coder-3'), await board.agent('code-reviewer-1')]
  await board.work('task-1', 'done.txt', 'committed')
  await writeFile(inWorktree(board, 'loose.txt'), 'not committed')
  await releaseClaim(board, coder, 'task-1', { reason: 'not mine' })
  await board.ready()
  await board.submitted(three, 'task-2', 'other.txt', 'merged\n')
  await board.approved(reviewer, 'task-2')
  await mergeWork(board, reviewer, 'task-2')

  const second = await claimWithWorktree(board, two, 'task-1')
  const afterRelease = await gitText(placeOf(board.repository.root, { id: 'task-1' }).path, ['status', '--porcelain'])
  await board.expire('coder-2')
  await claimWithWorktree(board, three, 'task-1')

  assert.equal(afterRelease, '?? loose.txt')
  assert.deepEqual(
    ['done.txt', 'loose.txt', 'other.txt'].filter((name) => !existsSync(inWorktree(board, name))),
    [],
  )
  assert.deepEqual([takeOverOf(second?.history)['commits'], takeOverOf(second?.history)['uncommitted']], [1, 'restored'])
  const { review_commit, base_commit } = await submitTask(board, three, 'task-1', await board.work('task-1', 'c.txt', 'more'))
  assert.deepEqual(await filesIn(board, base_commit, review_commit), ['c.txt', 'done.txt', 'loose.txt'])
})

test('[B201] where the earlier work conflicts with what was merged it comes along unmerged, and the conflict is told', async (t) => {
  const board = await readyBoard(t)
  await board.ready()
  const [one, two, three] = [await board.agent('coder-1'), await board.agent('coder-2'), await board.agent('coder-3')]
  const reviewer = await board.agent('code-reviewer-1')
  await board.submitted(one, 'task-1', 'a.txt', 'mine\n')
  await board.submitted(two, 'task-2', 'a.txt', 'theirs\n')
  for (const id of ['task-1', 'task-2']) await board.approved(reviewer, id)
  await mergeWork(board, reviewer, 'task-1')
  await mergeWork(board, reviewer, 'task-2')
  await claimWithWorktree(board, one, 'task-2')
  await board.expire('coder-1')

  const taken = await claimWithWorktree(board, three, 'task-2')

  const path = placeOf(board.repository.root, { id: 'task-2' }).path
  assert.equal(await readFile(join(path, 'a.txt'), 'utf8'), 'theirs\n')
  assert.deepEqual(takeOverOf(taken?.history)['conflicts'], ['a.txt'])
  assert.equal(taken?.integration_fix, true)
})

test('[B202] a task that was answered starts anew with another coder, and where the earlier work is kept is shown', async (t) => {
  const { board, coder } = await claimedBoard(t)
  const two = await board.agent('coder-2')
  await board.work('task-1', 'wrong.txt', 'a wrong way')
  await blockTask(board, coder, 'task-1', { blocked_reason: 'The list has no order', blocked_questions: ['Which order?'] })
  await unblockTask.run({ ...board, actor: ann }, { task: 'task-1', answer: 'by name' })

  await claimWithWorktree(board, two)

  const { earlier_work } = await getTask.run(board, { task: 'task-1' })
  assert.equal(existsSync(inWorktree(board, 'wrong.txt')), false)
  assert.equal(earlier_work[0]?.from, 'coder-1')
  assert.equal(await fileAt(board.repository.root, earlier_work[0]?.ref ?? '', 'wrong.txt'), 'a wrong way')
})

test('[B202] an earlier finding that is spoken of again stands in the rejection with its text', async (t) => {
  const { board, coder, commit, give, reviewer } = await reviewedBoard(t)
  await give(aRejection(commit))
  await claimWithWorktree(board, coder)
  const again = await submitTask(board, coder, 'task-1', await board.work('task-1', 'b.txt', 'b'))
  await claimReview(board, reviewer)

  const { rejection_reason } = await give(
    aRejection(again.review_commit ?? '', { prior_findings: [{ id: '1.1', status: 'STILL PRESENT', note: 'nothing changed' }] }),
  )

  assert.match(
    rejection_reason ?? '',
    /^- 1\.1: STILL PRESENT, nothing changed \(a\.txt:1 The list is not printed\. Fix: Print the list of users\.\)$/m,
  )
})

test('[B201] the prompt of a coder that takes a task over names the commits it starts from', async (t) => {
  const { board, commit, give } = await reviewedBoard(t)
  await give(aRejection(commit))
  await board.expire('coder-1')

  const taken = await claimWithWorktree(board, await board.agent('coder-2'))

  const text = taken && (await leftoverText(board, taken))
  assert.ok(text?.includes(`- ${commit} Work on task-1`), text ?? '')
})

function inWorktree({ repository }: TestBoard, name: string): string {
  return join(placeOf(repository.root, { id: 'task-1' }).path, name)
}

async function filesIn({ repository }: TestBoard, base: string | null, head: string | null): Promise<string[]> {
  return (await gitText(repository.root, ['diff', '--name-only', base ?? '', head ?? ''])).split('\n')
}

function takeOverOf(history: readonly TaskEvent[] = []): Record<string, unknown> {
  return { ...lastEvent(history, 'work_taken_over') }
}

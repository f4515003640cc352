import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { gitText, isAncestor, openRepository } from '../../worktrees/repository.ts'
import { commitFiles, fileAt } from '../../worktrees/test-repository.ts'
import { baseDistance } from './base-branch.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { boardOf } from '../find.ts'
import { mergeWork } from '../task/merge.ts'
import { placeOf } from '../worktree/prepare.ts'
import { claimReview } from '../task/review.ts'
import { submitTask } from '../task/submit/submit.ts'
import { takeInBase, syncBoard } from './take-in.ts'
import { commitWork, updateFromIntegration } from '../team/coder/git.ts'
import { uncommittedNotices } from '../task/submit/uncommitted.ts'
import { ann, approvedBoard, commitSpec, readyBoard, shareAtRemote, submittedBoard, type TestBoard } from '../test-board.ts'

test('[B222] a conflict with the base branch becomes a task of a coder that names its files, and stops nobody', async (t) => {
  const { board, reviewer, base } = await inConflict(t)
  const { root } = board.repository
  await board.ready()

  const other = await claimWithWorktree(board, await board.agent('coder-2'), 'task-2')
  const coder = await board.agent('coder-3')
  const taken = await claimWithWorktree(board, coder)

  const id = taken?.id ?? ''
  assert.deepEqual([other?.id, taken?.takes_in, /conflict in task-1\.txt/.test(taken?.description ?? '')], ['task-2', base, true])
  await board.work(id, 'x.txt', 'not it\n')
  await assert.rejects(submitTask(board, coder, id, null), { code: 'conflict', message: /brings in/ })
  const { conflicts } = await updateFromIntegration.run({ ...board, actor: coder }, { task: id })
  assert.deepEqual(conflicts, ['task-1.txt'])
  await writeFile(join(placeOf(root, { id }).path, 'task-1.txt'), 'both\n')
  await commitWork.run({ ...board, actor: coder }, { task: id, message: 'Keep both' })
  await submitTask(board, coder, id, null)
  await board.approved(reviewer, id)
  const { status } = await mergeWork(board, reviewer, id)

  assert.deepEqual([status, await fileAt(root, 'integration', 'task-1.txt')], ['MERGED', 'both\n'])
  assert.deepEqual([(await takeInBase(board)).outcome, await isAncestor(root, base, 'integration')], ['current', true])
})

test('[B222] one task is made of one conflict by whoever finds it, and it goes when the base branch fits again', async (t) => {
  const { board, base } = await inConflict(t)

  const found = await Promise.all([takeInBase(board), takeInBase(board), takeInBase(board)])
  const id = `take-in-${base.slice(0, 12)}`
  const made = (await boardOf(board)).base_tasks
  const open = (await board.task(id)).status
  await commitFiles(board.repository.root, { 'task-1.txt': 'users\n' }, 'As the team has it')
  const after = await takeInBase(board)

  const told = found.map((one) => ('task' in one ? [one.outcome, one.task, one.files] : []))
  assert.deepEqual(
    told,
    found.map(() => ['conflict', id, ['task-1.txt']]),
  )
  assert.deepEqual([made, open, after.outcome, (await board.task(id)).status], [1, 'UNCLAIMED', 'taken_in', 'ABANDONED'])
})

test('[B220] an integration branch that somebody has checked out is left where it is, and work goes on from there', async (t) => {
  const board = await readyBoard(t)
  const { root } = board.repository
  await gitText(root, ['worktree', 'add', '--quiet', join(await testFolder(t), 'looking'), 'integration'])
  const before = await branchHead(board.repository, 'integration')
  await commitFiles(root, { 'main.txt': 'new\n' }, 'Go on')

  const held = await takeInBase(board)
  const claimed = await claimWithWorktree(board, await board.agent('coder-1'))

  assert.deepEqual([held.outcome, 'reason' in held && /checked out/.test(held.reason)], ['held', true])
  assert.deepEqual([claimed?.base_commit, await branchHead(board.repository, 'integration')], [before, before])
})

test('[B224] how far the integration branch is behind is counted, and a dry run moves nothing', async (t) => {
  const board = await readyBoard(t)
  const { config } = await boardOf(board)
  const before = await baseDistance(board.repository, config)
  await commitFiles(board.repository.root, { 'one.txt': '1\n' }, 'One')
  await commitFiles(board.repository.root, { 'two.txt': '2\n' }, 'Two')

  const would = await perform(syncBoard, { ...board, actor: ann, dry: true }, {})
  const behind = await baseDistance(board.repository, config)
  await takeInBase(board)

  assert.deepEqual([before?.behind, behind?.behind, 'commits' in would && would.commits], [0, 2, 2])
  assert.deepEqual((await baseDistance(board.repository, config))?.behind, 0)
})

test('[B223] machines take in what was pushed, whatever their own clone holds, and judge by the same text of a spec', async (t) => {
  const { board, reviewer } = await submittedBoard(t)
  const [remote, folder] = [await shareAtRemote(t, board), await testFolder(t)]
  await gitText(folder, ['clone', '--quiet', remote, 'there'])
  const there = { ...board, repository: await openRepository(join(folder, 'there')) }
  await commitSpec(board, '# Users\n\nList them by name.\n') // pushed from here; there nobody pulls

  const review = await claimReview(there, reviewer)
  const stale = await fileAt(there.repository.root, 'main', 'spec.md')

  assert.match(review?.spec_delta ?? '', /\+List them by name/)
  assert.match(stale ?? '', /List them\.\n/)
  assert.match((await fileAt(remote, 'integration', 'spec.md')) ?? '', /by name/)
})

test('[B225] [B226] a checkout that holds more than was committed is told so, with the specs among it', async (t) => {
  const board = await readyBoard(t)
  const before = await uncommittedNotices(board)
  for (const file of ['spec.md', 'b.txt']) await writeFile(join(board.repository.root, file), 'mine\n')

  const notices = await uncommittedNotices(board)

  assert.deepEqual(before, [])
  assert.deepEqual(notices, [
    'Your uncommitted changes are not in it: spec.md, b.txt',
    'spec.md has uncommitted changes; tasks are judged by the committed text',
  ])
})

/** A board whose merged work and whose base branch both made `task-1.txt`. */
async function inConflict(t: TestContext): Promise<{ board: TestBoard; reviewer: Awaited<ReturnType<TestBoard['agent']>>; base: string }> {
  const { board, reviewer } = await approvedBoard(t)
  await mergeWork(board, reviewer, 'task-1')
  return { board, reviewer, base: await commitFiles(board.repository.root, { 'task-1.txt': 'of main\n' }, 'The same file') }
}

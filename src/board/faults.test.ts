import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { committer } from '../sandbox/test-surroundings.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { databases } from '../store/test-databases.ts'
import { openTestPostgres } from '../store/postgres/test-postgres.ts'
import { branchHead } from '../worktrees/branch.ts'
import { gitText } from '../worktrees/repository.ts'
import { claimWithWorktree } from './task/claim.ts'
import type { BoardWorkspace } from './context.ts'
import { mergeWork } from './task/merge.ts'
import { placeOf } from './worktree/prepare.ts'
import { releaseClaim } from './task/release.ts'
import { submitTask } from './task/submit/submit.ts'
import { anApproval, approvedBoard, claimedBoard, readyBoard, reviewedBoard, testBoard } from './test-board.ts'

async function checkOutElsewhere(t: Cleanup, { repository: { root } }: BoardWorkspace, id: string): Promise<void> {
  await gitText(root, ['worktree', 'add', '--quiet', '-b', placeOf(root, { id }).branch, join(await testFolder(t), id)])
}

const author = { env: committer }

test('[B61] staged, changed, stashed and untracked files of a person are the same after a merge that touches them', async (t) => {
  const board = await readyBoard(t)
  const { root } = board.repository
  await writeFile(join(root, 'a.txt'), 'put away\n')
  await gitText(root, ['stash', 'push', '--quiet'], author)
  await writeFile(join(root, 'spec.md'), '# Users\n\nList them.\n\n# Orders\n\nCount them all.\n')
  await gitText(root, ['add', 'spec.md'])
  await writeFile(join(root, 'a.txt'), 'mine\n')
  await writeFile(join(root, 'task-1.txt'), 'my own\n')
  const looks = [
    ['status', '--porcelain'],
    ['stash', 'list'],
    ['diff', 'HEAD'],
  ] as const
  const seen = () => Promise.all(looks.map((look) => gitText(root, look)))
  const before = await seen()

  await board.submitted(await board.agent('coder-1'), 'task-1', 'a.txt', 'theirs\n')
  const reviewer = await board.agent('code-reviewer-1')
  await board.approved(reviewer, 'task-1')
  const { status } = await mergeWork(board, reviewer, 'task-1')

  assert.equal(status, 'MERGED')
  assert.deepEqual(await seen(), before)
  assert.equal(await readFile(join(root, 'task-1.txt'), 'utf8'), 'my own\n')
})

test('[B62] a task branch that a person has checked out is left alone, and the claim is given back with where it is', async (t) => {
  const board = await readyBoard(t)
  const { root } = board.repository
  const { branch } = placeOf(root, { id: 'task-1' })
  await gitText(root, ['checkout', '--quiet', '-b', branch])
  const head = await branchHead(board.repository, branch)

  await assert.rejects(claimWithWorktree(board, await board.agent('coder-1')), {
    code: 'conflict',
    message: /checked out in .*; check out another/,
  })

  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
  assert.equal(await gitText(root, ['symbolic-ref', '--short', 'HEAD']), branch)
  assert.equal(await branchHead(board.repository, branch), head)
})

for (const { database, open } of databases) {
  test(`[B62] a claim that names no task goes on to the next when a branch is checked out elsewhere, and uses up no iteration, on ${database}`, async (t) => {
    const board = await readyBoard(t, { open })
    const [first, second] = [await board.ready(), await board.ready()]
    for (const id of ['task-1', first.id]) await checkOutElsewhere(t, board, id)
    const coder = await board.agent('coder-1')

    const claimed = await claimWithWorktree(board, coder)
    await releaseClaim(board, coder, second.id, { reason: 'next' })
    await board.put(second.id, { status: 'ABANDONED' })

    assert.equal(claimed?.id, second.id)
    await assert.rejects(claimWithWorktree(board, coder), { code: 'conflict', message: /task-1 is checked out in .*; check out another/ })
    await assert.rejects(claimWithWorktree(board, coder, first.id), { message: new RegExp(`${first.id} is checked out in`) })
    for (const id of ['task-1', first.id]) {
      const { status, iteration } = await board.task(id)
      assert.deepEqual([status, iteration], ['UNCLAIMED', null])
    }
  })
}

test('[B62] a coder whose own task a person checked out elsewhere is given the next one, and the try does not count', async (t) => {
  const { board, coder } = await claimedBoard(t)
  const { root } = board.repository
  const { path, branch } = placeOf(root, { id: 'task-1' })
  await submitTask(board, coder, 'task-1', await board.work('task-1', 'list.txt', 'users\n'))
  await board.put('task-1', { status: 'REJECTED' })
  await gitText(root, ['worktree', 'remove', path])
  await gitText(root, ['worktree', 'add', '--quiet', join(await testFolder(t), 'mine'), branch])
  const next = await board.ready()

  const claimed = await claimWithWorktree(board, coder)

  const { status, iteration } = await board.task('task-1')
  assert.deepEqual([claimed?.id, status, iteration], [next.id, 'UNCLAIMED', 1])
})

test('[B63] a branch that was rewritten is not approved, and rewritten after its approval not merged', async (t) => {
  const { board, reviewer, commit, spec_hash, give } = await reviewedBoard(t)
  const { path } = placeOf(board.repository.root, { id: 'task-1' })
  await gitText(path, ['commit', '--quiet', '--amend', '--message', 'Another past'], author)
  const approval = anApproval(commit, spec_hash)

  await assert.rejects(give(approval), { code: 'conflict', message: /is at .*cannot be approved/ })
  await gitText(path, ['reset', '--quiet', '--hard', commit])
  await give(approval)
  const before = await branchHead(board.repository, 'integration')
  await gitText(path, ['commit', '--quiet', '--amend', '--message', 'Another past'], author)
  const voided = await mergeWork(board, reviewer, 'task-1')

  assert.equal(voided.status, 'REJECTED')
  assert.equal(await branchHead(board.repository, 'integration'), before)
})

test('[B63] a branch that was deleted after its approval is not merged, and comes back to its coder with what was submitted', async (t) => {
  const { board, coder, reviewer, commit } = await approvedBoard(t)
  const { path, branch } = placeOf(board.repository.root, { id: 'task-1' })
  await gitText(board.repository.root, ['worktree', 'remove', '--force', path])
  await gitText(board.repository.root, ['branch', '-D', branch])

  const voided = await mergeWork(board, reviewer, 'task-1')
  await claimWithWorktree(board, coder, 'task-1')

  assert.equal(voided.status, 'REJECTED')
  assert.match(voided.rejection_reason ?? '', /task\/task-1 is gone, but .* was approved; submit it again/)
  assert.equal(await branchHead(board.repository, branch), commit)
})

test('[B64] a repository with submodules is worked on and merged, and they stay at their commits', async (t) => {
  const board = await testBoard(t)
  const { root } = board.repository
  const commit = await gitText(root, ['rev-parse', 'HEAD'])
  await writeFile(join(root, '.gitmodules'), '[submodule "lib"]\n\tpath = lib\n\turl = ./nowhere.git\n')
  await gitText(root, ['update-index', '--add', '--cacheinfo', `160000,${commit},lib`])
  await gitText(root, ['add', '.gitmodules'])
  await gitText(root, ['commit', '--quiet', '--message', 'With a submodule'], author)
  await gitText(root, ['branch', '--force', 'integration', 'HEAD'])
  await board.ready()
  const reviewer = await board.agent('code-reviewer-1')

  await board.submitted(await board.agent('coder-1'), 'task-1')
  await board.approved(reviewer, 'task-1')
  const { status } = await mergeWork(board, reviewer, 'task-1')

  assert.equal(status, 'MERGED')
  assert.match(await gitText(root, ['ls-tree', 'integration', 'lib']), new RegExp(`^160000 commit ${commit}\\tlib$`))
})

test('[B65] a machine whose clock is an hour ahead takes nothing from anyone, and one an hour behind holds nothing for longer', async (t) => {
  const { board } = await claimedBoard(t, { open: openTestPostgres })
  const other = await board.agent('coder-2')
  const [hour, now] = [3_600_000, Date.now()]

  t.mock.timers.enable({ apis: ['Date'], now: now + hour })
  const ahead = await claimWithWorktree(board, other)
  t.mock.timers.setTime(now - hour)
  await board.expire('coder-1')
  const behind = await claimWithWorktree(board, other)
  const head = await board.work('task-1', 'list.txt', 'users\n')
  const { history } = await submitTask(board, other, 'task-1', head)

  assert.deepEqual([ahead, behind?.assigned_to], [null, 'coder-2'])
  assert.ok(Math.abs(Date.parse(history.at(-1)?.time ?? '') - now) < hour / 2)
})

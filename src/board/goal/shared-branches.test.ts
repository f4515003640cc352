import assert from 'node:assert/strict'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { gitText, openRepository } from '../../worktrees/repository.ts'
import { isWorktree } from '../../worktrees/worktree.ts'
import { readActivity } from '../activity.ts'
import { addTask } from '../task/add.ts'
import { holdTask } from '../task/block.ts'
import { claimWithWorktree } from '../task/claim.ts'
import type { BoardWorkspace } from '../context.ts'
import { finalizeTask } from '../task/finalize.ts'
import { beginGoal } from './init.ts'
import { mergeWork } from '../task/merge.ts'
import { placeOf } from '../worktree/prepare.ts'
import { agentReady, registerAgent } from '../agent/register.ts'
import { claimReview } from '../task/review.ts'
import { sweepWorktrees } from '../worktree/clear-away.ts'
import { abandonTask } from '../task/supersede.ts'
import { anApproval, ann, claimedBoard, shareAtRemote, testBoard, type TestBoard } from '../test-board.ts'
import { recordVerdict } from '../task/verdict.ts'
import { unblockTask } from '../task/unblock.ts'

const why = { reason: 'Nobody needs it.', root_cause: 'The goal changed.' }

test('[B133] the branch of merged work goes at the remote and on every machine, and leaves no ref', async (t) => {
  const { here, there, remote } = await twoMachines(t)
  const { commit } = await approvedThere(here, there)
  const shared = await branchHead(remote, 'task/task-1')

  await mergeWork(there, { supervisor: 'code-reviewer-1' }, 'task-1')
  await sweepWorktrees(here)

  assert.equal(shared, commit)
  assert.deepEqual(await Promise.all([remote, here.repository, there.repository].map((place) => branchHead(place, 'task/task-1'))), [
    null,
    null,
    null,
  ])
  assert.equal(await fileAt(remote.root, 'integration', 'task-1.txt'), 'users\n')
  for (const { root } of [remote, here.repository, there.repository]) assert.equal(await gitText(root, ['for-each-ref', 'refs/troupe']), '')
})

test('[B133] work that goes on at the remote while its task is merged stays there, and that is said', async (t) => {
  const { here, there, remote } = await twoMachines(t)
  await approvedThere(here, there)
  const goesOn = '#!/bin/sh\ngit update-ref refs/heads/task/task-1 refs/heads/integration\n'
  await writeFile(join(remote.root, 'hooks/post-update'), goesOn, { mode: 0o755 })

  const { status, merge_commit } = await mergeWork(there, { supervisor: 'code-reviewer-1' }, 'task-1')
  await sweepWorktrees(there)

  assert.equal(status, 'MERGED')
  assert.equal(await branchHead(remote, 'task/task-1'), merge_commit)
  assert.match(await saidOf(here), /task\/task-1 at origin is at .* left alone/)
})

test('[B133] what an abandoned task left at the remote is kept there under a ref', async (t) => {
  const { here, there, remote } = await twoMachines(t)
  await here.ready()
  const { review_commit } = await here.submitted(await here.agent('coder-1'), 'task-1')
  await perform(holdTask, { ...here, actor: ann }, { task: 'task-1', reason: why.reason })

  await perform(abandonTask, { ...there, actor: ann }, { task: 'task-1', ...why })

  assert.equal(await branchHead(remote, 'task/task-1'), null)
  assert.equal(await gitText(remote.root, ['rev-parse', `refs/troupe/${here.board_id}/task-1/${review_commit}`]), review_commit)
})

test('[B133] a remote that is away keeps nobody from closing a task; it is said, and a later sweep makes up for it', async (t) => {
  const { here, there, remote } = await twoMachines(t)
  await here.ready()
  await here.submitted(await here.agent('coder-1'), 'task-1')
  await perform(holdTask, { ...here, actor: ann }, { task: 'task-1', reason: why.reason })
  await rename(remote.root, `${remote.root}-away`)

  const { status } = await perform(abandonTask, { ...there, actor: ann }, { task: 'task-1', ...why })
  await rename(`${remote.root}-away`, remote.root)
  await sweepWorktrees(there)

  assert.equal(status, 'ABANDONED')
  assert.match(await saidOf(here), /at the remote origin/)
  assert.equal(await branchHead(remote, 'task/task-1'), null)
})

test('[B133] what an earlier coder shared is kept at the remote when another starts afresh on a machine that never had it', async (t) => {
  const { here, there, remote } = await twoMachines(t)
  await here.ready()
  await claimWithWorktree(here, await here.agent('coder-1'), 'task-1')
  const first = await here.work('task-1', 'half.txt', 'half')
  await gitText(here.repository.root, ['push', '--quiet', 'origin', 'task/task-1'])
  await here.expire('coder-1')
  await perform(holdTask, { ...here, actor: ann }, { task: 'task-1', reason: why.reason })
  await unblockTask.run({ ...here, actor: ann }, { task: 'task-1', answer: 'Begin again.' })

  const taken = await claimWithWorktree(there, await here.agent('coder-2'), 'task-1')

  assert.equal(await branchHead(remote, 'task/task-1'), taken?.base_commit)
  assert.equal(await gitText(remote.root, ['rev-parse', `refs/troupe/${here.board_id}/task-1/${first}`]), first)
})

test('[B201] what an earlier coder shared is brought along to a machine that never had it', async (t) => {
  const { here, there } = await twoMachines(t)
  await here.ready()
  await claimWithWorktree(here, await here.agent('coder-1'), 'task-1')
  const first = await here.work('task-1', 'half.txt', 'half')
  await gitText(here.repository.root, ['push', '--quiet', 'origin', 'task/task-1'])
  await here.expire('coder-1')

  await claimWithWorktree(there, await here.agent('coder-2'), 'task-1')

  assert.equal(await branchHead(there.repository, 'task/task-1'), first)
})

test('[B97] a process that is still at an earlier goal leaves the worktrees of the next one alone', async (t) => {
  const { board } = await claimedBoard(t)
  await perform(holdTask, { ...board, actor: ann }, { task: 'task-1', reason: why.reason })
  await perform(abandonTask, { ...board, actor: ann }, { task: 'task-1', ...why })
  const { id: board_id } = await beginGoal(board.driver, board.repository, { goal: 'Next', config: { auto_approve: true } }, 'ann')
  const next = { ...board, board_id }
  await perform(
    addTask,
    { ...next, actor: ann },
    { description: 'Count', spec_ref: 'spec.md', done_when: 'a.txt lists 2 users', scope: 'IN: it' },
  )
  await perform(finalizeTask, { ...next, actor: ann }, { task: 'task-1' })
  const coder = await registerAgent(next, { id: 'coder-1' })
  await agentReady(next, coder)
  await claimWithWorktree(next, coder, 'task-1')

  await sweepWorktrees(board)

  assert.equal(await isWorktree(board.repository, placeOf(board.repository.root, { id: 'task-1' })), true)
})

/** What was said to be left behind. */
async function saidOf({ driver, board_id }: BoardWorkspace): Promise<string> {
  const lines = await readActivity(driver, board_id)
  return lines.flatMap(({ action, detail }) => (action === 'left_behind' ? detail : [])).join('\n')
}

/** Two clones of one remote, with one board and one store. */
async function twoMachines(
  t: TestContext,
): Promise<{ here: TestBoard; there: BoardWorkspace; remote: { root: string; commonDir: string } }> {
  const here = await testBoard(t)
  const [root, folder] = [await shareAtRemote(t, here), await testFolder(t)]
  await gitText(folder, ['clone', '--quiet', root, 'there'])
  const there = { ...here, repository: await openRepository(join(folder, 'there')) }
  return { here, there, remote: { root, commonDir: root } }
}

/** Work that was done here and approved there. */
async function approvedThere(here: TestBoard, there: BoardWorkspace): Promise<{ commit: string }> {
  await here.ready()
  const reviewer = await here.agent('code-reviewer-1')
  const { review_commit } = await here.submitted(await here.agent('coder-1'), 'task-1')
  const review = await claimReview(there, reviewer, 'task-1')
  await recordVerdict(there, reviewer, 'task-1', anApproval(review_commit ?? '', review?.spec_hash ?? null))
  return { commit: review_commit ?? '' }
}

import { lastEvent } from '../../domain/board/event.ts'
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { BoardConfig } from '../../domain/board/board.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { scratchFolder } from '../../sandbox/files/scratch-folder.ts'
import { branchHead, moveBranch } from '../../worktrees/branch.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { fileAt } from '../../worktrees/test-repository.ts'
import { mergeCommits } from '../../worktrees/merge.ts'
import { gitText } from '../../worktrees/repository.ts'
import { commitFiles } from '../../worktrees/test-repository.ts'
import { claimWithWorktree } from './claim.ts'
import { boardOf } from '../find.ts'
import { testIntegration, mergeWork } from './merge.ts'
import { submitTask } from './submit/submit.ts'
import { committer, listenHere } from '../../sandbox/test-surroundings.ts'
import { until } from '../../sandbox/test-until.ts'
import { approvedBoard, commitSpec, readyBoard, testBoard, withoutCommands } from '../test-board.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'

test('[B30] the integration test runs on the merged result before the branch moves; when it fails the branch stays and the output is kept', async (t) => {
  const { board, reviewer, before } = await approvedTask(t, { integration_test: '! cat task-1.txt || { echo seen >&2; exit 3; }' })

  const failed = await mergeWork(board, reviewer, 'task-1')

  assert.equal(failed.status, 'INTEGRATION_FAILED')
  assert.match(failed.integration_output ?? '', /users[^]*seen/)
  assert.equal(await branchHead(board.repository, 'integration'), before)
  assert.equal(lastEvent(failed.history, 'integration_failed')?.reason, 'the integration test exited with 3')
})

test('[B250] a merge whose test also fails without the work says so, as where the base branch brought in what fails it', async (t) => {
  const { board, reviewer } = await approvedTask(t, { integration_test: 'test ! -f broken.txt' })
  await commitFiles(board.repository.root, { 'broken.txt': 'x\n' }, 'Break the base branch')

  const failed = await mergeWork(board, reviewer, 'task-1')

  const { reason } = lastEvent(failed.history, 'integration_failed') ?? assert.fail('it was merged')
  assert.match(reason ?? '', /exited with 1; integration without this work fails it too/)
})

test('[B30] the integration test may do what the user lets commands do: reach the network, and run where there is no sandbox', async (t) => {
  const server = createServer((_, answer) => void answer.end())
  const port = await listenHere(t, server)
  const { board, reviewer } = await approvedTask(t, { integration_test: `node -e 'fetch("http://127.0.0.1:${port}")'` })
  const nowhere = { ...board, ...withoutCommands }

  await assert.rejects(mergeWork(nowhere, reviewer, 'task-1'), { code: 'sandbox_missing' })
  const { config } = await boardOf(board)
  const alone = await testIntegration(board, config, 'HEAD')

  assert.match(alone?.reason ?? '', /exited with 1/)
  assert.equal(await testIntegration({ ...nowhere, commands: commandSettingsWith({ unsandboxed: true }) }, config, 'HEAD'), null)
  assert.equal((await mergeWork({ ...board, commands: commandSettingsWith({ network: 'on' }) }, reviewer, 'task-1')).status, 'MERGED')
})

test('[B30] the integration test finds what was installed in the project, and leaves nothing behind, not even what a dead process left', async (t) => {
  const { board, reviewer } = await approvedTask(t, { integration_test: 'node -e "require(\'dep\')"' })
  const { root } = board.repository
  await mkdir(join(root, 'node_modules/dep'), { recursive: true })
  await writeFile(join(root, 'node_modules/dep/index.js'), '')
  const worktrees = join(root, '.troupe/worktrees')
  const made = await scratchFolder(worktrees, '.troupe-check-')
  await rename(made, made.replace(`-${process.pid}-`, '-999999999-'))

  const merged = await mergeWork(board, reviewer, 'task-1')

  assert.equal(merged.status, 'MERGED')
  assert.deepEqual(await readdir(worktrees), [])
})

test('[B31] a conflict leaves the integration branch alone, and is repaired in the same worktree by any coder', async (t) => {
  const board = await readyBoard(t)
  const [one, two, reviewer] = [await board.agent('coder-1'), await board.agent('coder-2'), await board.agent('code-reviewer-1')]
  await board.ready()
  await board.submitted(one, 'task-1', 'a.txt', 'mine\n')
  await board.submitted(two, 'task-2', 'a.txt', 'theirs\n')
  await board.approved(reviewer, 'task-1')
  await board.approved(reviewer, 'task-2')
  await mergeWork(board, reviewer, 'task-1')
  const before = await branchHead(board.repository, 'integration')

  const failed = await mergeWork(board, reviewer, 'task-2')
  const repair = await claimWithWorktree(board, one)
  const path = join(board.repository.root, repair?.worktree ?? '')
  await gitText(path, ['merge', '--quiet', '-X', 'ours', 'integration'], { env: committer })
  const submitted = await submitTask(board, one, 'task-2', await board.work('task-2', 'b.txt', 'both'))
  await board.approved(reviewer, 'task-2')
  const merged = await mergeWork(board, reviewer, 'task-2')

  assert.deepEqual(
    [failed.status, repair?.id, repair?.integration_fix, submitted.base_commit],
    ['INTEGRATION_FAILED', 'task-2', true, before],
  )
  assert.match(failed.integration_output ?? '', /CONFLICT/)
  assert.deepEqual([merged.status, await fileAt(board.repository.root, 'integration', 'a.txt')], ['MERGED', 'theirs\n'])
})

test('[B32] one more commit after the approval voids it', async (t) => {
  const { board, reviewer, coder, before } = await approvedTask(t)
  await board.work('task-1', 'sneaky.txt', 'after the review')

  const voided = await mergeWork(board, reviewer, 'task-1')

  assert.deepEqual([voided.status, voided.approved_by, voided.review_cycles_total], ['REJECTED', null, 0])
  assert.match(voided.rejection_reason ?? '', /was approved; submit it again/)
  assert.equal(await branchHead(board.repository, 'integration'), before)
  assert.equal((await claimWithWorktree(board, coder))?.id, 'task-1')
})

test('[B32] a spec that changes after the approval voids it', async (t) => {
  const { board, reviewer } = await approvedTask(t)
  await commitSpec(board, '# Users\n\nNever list them.\n')

  const voided = await mergeWork(board, reviewer, 'task-1')

  assert.deepEqual([voided.status, /changed after the approval/.test(voided.rejection_reason ?? '')], ['REJECTED', true])
})

test('[B32] what changes while the integration test runs voids the approval too', async (t) => {
  const { board, reviewer } = await approvedTask(t, { integration_test: 'until [ -e go ]; do sleep 0.1; done' })
  const checks = join(board.repository.root, '.troupe/worktrees')
  const tested = () => readdirSync(checks).flatMap((name) => (name.startsWith('.troupe-check-') ? join(checks, name, 'tree') : []))[0] ?? ''

  const merging = mergeWork(board, reviewer, 'task-1')
  await until(() => existsSync(join(tested(), 'task-1.txt')))
  await commitSpec(board, '# Users\n\nNever list them.\n')
  await writeFile(join(tested(), 'go'), '')
  const voided = await merging

  assert.deepEqual([voided.status, /changed after the approval/.test(voided.rejection_reason ?? '')], ['REJECTED', true])
  assert.equal(await fileAt(board.repository.root, 'integration', 'task-1.txt'), null)
})

test('[B33] independent tasks merged at once all arrive, each exactly once', async (t) => {
  const board = await testBoard(t)
  const reviewer = await board.agent('code-reviewer-1')
  const ids = ['task-1', 'task-2', 'task-3', 'task-4']
  for (const [at, id] of ids.entries()) {
    await board.ready()
    await board.submitted(await board.agent(`coder-${at + 1}`), id)
    await board.approved(reviewer, id)
  }

  const merged = await Promise.all(ids.map((id) => mergeWork(board, { supervisor: 'test' }, id)))

  const merges = await gitText(board.repository.root, ['rev-list', '--count', '--first-parent', '--merges', 'integration'])
  assert.deepEqual([merged.map(({ status }) => status), merges], [ids.map(() => 'MERGED'), '4'])
  for (const id of ids) assert.equal(await fileAt(board.repository.root, 'integration', `${id}.txt`), 'users\n')
})

test('[B33] a merge whose test takes long keeps no other waiting', async (t) => {
  const slow = 'if [ -e task-1.txt ] && [ ! -e task-2.txt ]; then until [ -e go ]; do sleep 0.1; done; fi'
  const { board, reviewer } = await approvedTask(t, { integration_test: slow })
  const { root } = board.repository
  await board.ready()
  await board.submitted(await board.agent('coder-2'), 'task-2')
  await board.approved(reviewer, 'task-2')
  const tested = async () => /^worktree (.*troupe-check-.*)$/m.exec(await gitText(root, ['worktree', 'list', '--porcelain']))?.[1] ?? ''
  const merge = (id: string) => mergeWork(board, { supervisor: 'test' }, id)

  const first = merge('task-1')
  await until(async () => existsSync(join(await tested(), 'task-1.txt')))
  const second = await merge('task-2')
  const waiting = (await board.task('task-1')).status
  await writeFile(join(await tested(), 'go'), '')

  assert.deepEqual([second.status, waiting, (await first).status], ['MERGED', 'APPROVED', 'MERGED'])
})

test('[B34] a merge whose process died after the branch moved is completed, never made twice', async (t) => {
  const { board, reviewer, before } = await approvedTask(t)
  const task = await board.task('task-1')
  const made = await mergeCommits(board.repository, {
    onto: before,
    commit: task.review_commit ?? '',
    message: 'Merge task-1',
    author: agentAuthor('code-reviewer-1'),
  })
  assert.equal(made.outcome, 'merged')
  const commit = made.outcome === 'merged' ? made.commit : ''
  await moveBranch(board.repository, 'integration', before, commit)

  const merged = await mergeWork(board, reviewer, 'task-1')

  assert.deepEqual([merged.status, merged.merge_commit, await branchHead(board.repository, 'integration')], ['MERGED', commit, commit])
})

test('[B34] one process at a time merges a task, and when it died another takes over', async (t) => {
  const { board, reviewer } = await approvedTask(t)
  await board.put('task-1', { merging_by: 'another', merge_lease_expires: '2099-01-01T00:00:00.000Z' })

  await assert.rejects(mergeWork(board, reviewer, 'task-1'), { code: 'busy', message: /is being merged by another process until 2099/ })
  await board.put('task-1', { merge_lease_expires: '2020-01-01T00:00:00.000Z' })

  assert.equal((await mergeWork(board, reviewer, 'task-1')).status, 'MERGED')
})

test('[B35] an integration branch that someone has checked out is not moved, and the task stays approved until it can be', async (t) => {
  const { board, reviewer } = await approvedTask(t)
  await gitText(board.repository.root, ['checkout', '--quiet', 'integration'])

  await assert.rejects(mergeWork(board, reviewer, 'task-1'), { code: 'conflict', message: /integration is checked out in/ })
  const status = (await board.task('task-1')).status
  await gitText(board.repository.root, ['checkout', '--quiet', 'main'])

  assert.deepEqual([status, (await mergeWork(board, reviewer, 'task-1')).status], ['APPROVED', 'MERGED'])
})

test('[B36] the hooks of the repository never run, and nothing that a task says reaches a shell', async (t) => {
  const { board, reviewer } = await approvedTask(t, { integration_test: 'true' }, 'List $(touch pwned) `touch pwned`; touch pwned')
  const hooks = join(board.repository.root, '.git/hooks')
  await mkdir(hooks, { recursive: true })
  for (const hook of ['post-merge', 'reference-transaction', 'post-checkout', 'pre-commit']) {
    await writeFile(join(hooks, hook), `#!/bin/sh\ntouch ${board.repository.root}/hooked\n`, { mode: 0o755 })
  }

  await mergeWork(board, reviewer, 'task-1')

  assert.deepEqual([existsSync(join(board.repository.root, 'pwned')), existsSync(join(board.repository.root, 'hooked'))], [false, false])
})

async function approvedTask(t: TestContext, config: Partial<BoardConfig> = {}, description?: string) {
  const { board, coder, reviewer } = await approvedBoard(t, { config, ...(description && { description }) })
  const before = (await branchHead(board.repository, 'integration')) ?? ''
  return { board: { ...board, sandbox: await detectSandbox() }, coder, reviewer, before }
}

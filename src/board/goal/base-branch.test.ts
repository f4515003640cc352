import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { tasks } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { gitText, isAncestor } from '../../worktrees/repository.ts'
import { commitFiles, fileAt } from '../../worktrees/test-repository.ts'
import { addTask } from '../task/add.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { abortBoard } from './control.ts'
import { finalizeTask } from '../task/finalize.ts'
import { beginGoal } from './init.ts'
import { mergeWork } from '../task/merge.ts'
import { placeOf } from '../worktree/prepare.ts'
import { claimReview } from '../task/review.ts'
import { ann, anApproval, approvedBoard, readyBoard, submittedBoard, testBoard, withSteps, type TestBoard } from '../test-board.ts'
import { recordVerdict } from '../task/verdict.ts'

const textIn = (board: TestBoard, file: string) => readFile(join(placeOf(board.repository.root, { id: 'task-1' }).path, file), 'utf8')

test('[B220] a claim begins from what a person committed meanwhile, and their checkout stays as it is', async (t) => {
  const board = await readyBoard(t)
  const { root } = board.repository
  const head = await commitFiles(root, { 'main.txt': 'new\n' }, 'Go on')
  await writeFile(join(root, 'a.txt'), 'not committed\n')

  await claimWithWorktree(board, await board.agent('coder-1'))

  assert.equal(await textIn(board, 'main.txt'), 'new\n')
  assert.deepEqual([await textIn(board, 'a.txt'), await readFile(join(root, 'a.txt'), 'utf8')], ['one\n', 'not committed\n'])
  assert.deepEqual([await branchHead(board.repository, 'main'), await gitText(root, ['branch', '--show-current'])], [head, 'main'])
})

test('[B220] a merge goes on top of what a person committed meanwhile', async (t) => {
  const { board, reviewer } = await approvedBoard(t)
  const head = await commitFiles(board.repository.root, { 'main.txt': 'new\n' }, 'Go on')

  const { status } = await mergeWork(board, reviewer, 'task-1')

  assert.equal(status, 'MERGED')
  assert.equal(await isAncestor(board.repository.root, head, 'integration'), true)
})

for (const landed of ['squashed', 'merged', 'rebased'] as const) {
  test(`[B221] after the work was ${landed} into main and edited there the next goal begins from that text`, async (t) => {
    const { board, reviewer } = await approvedBoard(t)
    const { root } = board.repository
    await mergeWork(board, reviewer, 'task-1')
    await perform(abortBoard, { ...board, actor: ann }, {})
    await land(root, landed)
    await commitFiles(root, { 'task-1.txt': 'edited on main\n', 'later.md': '# Later\n' }, 'Edit what was landed')

    const next = await beginGoal(
      board.driver,
      board.repository,
      { goal: 'Go on', spec_ref: 'later.md', config: { auto_approve: true } },
      'ann',
    )
    const steps = withSteps({ ...board, board_id: next.id })
    await perform(
      addTask,
      { ...steps, actor: ann },
      { description: 'Go on', spec_ref: 'later.md', done_when: 'a.txt lists 3', scope: 'IN: it' },
    )
    await perform(finalizeTask, { ...steps, actor: ann }, { task: 'task-1' })
    await claimWithWorktree(steps, await steps.agent('coder-1'))

    assert.deepEqual([await textIn(steps, 'task-1.txt'), await textIn(steps, 'later.md')], ['edited on main\n', '# Later\n'])
    assert.deepEqual((await tasks.items(board.driver, { where: { board_id: next.id } })).length, 1)
  })
}

async function land(root: string, how: 'squashed' | 'merged' | 'rebased'): Promise<void> {
  const env = { GIT_AUTHOR_NAME: 'ann', GIT_AUTHOR_EMAIL: 'a@x', GIT_COMMITTER_NAME: 'ann', GIT_COMMITTER_EMAIL: 'a@x' }
  await commitFiles(root, { 'aside.txt': 'aside\n' }, 'Beside it')
  if (how === 'merged') return void (await gitText(root, ['merge', '--quiet', '--no-ff', '-m', 'Land', 'integration'], { env }))
  if (how === 'rebased') return void (await gitText(root, ['cherry-pick', 'integration^2'], { env }))
  await gitText(root, ['merge', '--quiet', '--squash', 'integration'], { env })
  await gitText(root, ['commit', '--quiet', '-m', 'Land everything'], { env })
}

test('[B225] a spec is judged by its committed text: what lies uncommitted in a checkout changes no hash, voids nothing and passes no gate', async (t) => {
  const { board, reviewer, commit } = await submittedBoard(t)
  const { root } = board.repository
  await writeFile(join(root, 'spec.md'), '# Users\n\nNever list them.\n')
  await writeFile(join(root, 'draft.md'), '# Draft\n')
  await perform(
    addTask,
    { ...board, actor: ann },
    { id: 'two', description: 'Two', spec_ref: 'draft.md', done_when: 'a.txt lists 3', scope: 'IN: it' },
  )

  const review = await claimReview(board, reviewer)
  await assert.rejects(perform(finalizeTask, { ...board, actor: ann }, { task: 'two' }), {
    code: 'bad_input',
    message: /git add draft\.md && git commit/,
  })
  await recordVerdict(board, reviewer, 'task-1', anApproval(commit, review?.spec_hash ?? null))
  const merged = await mergeWork(board, reviewer, 'task-1')

  assert.deepEqual([review?.spec_delta, merged.status], [null, 'MERGED'])
})

test('[B225] a spec that is committed while a goal is on reaches the gates, whatever is checked out meanwhile', async (t) => {
  const board = await testBoard(t)
  const { root } = board.repository
  await gitText(root, ['checkout', '--quiet', '-b', 'other'])
  await gitText(root, ['checkout', '--quiet', 'main'])
  await commitFiles(root, { 'specs/new.md': '# New\n' }, 'Write it down')
  await gitText(root, ['checkout', '--quiet', 'other']) // whatever is checked out meanwhile
  const at = async (spec_ref: string, id: string) => {
    await perform(addTask, { ...board, actor: ann }, { id, description: 'Two', spec_ref, done_when: 'a.txt lists 3', scope: 'IN: it' })
    return perform(finalizeTask, { ...board, actor: ann }, { task: id })
  }

  const finalized = await at('specs/new.md', 'two')

  assert.deepEqual([finalized.status, await fileAt(root, 'integration', 'specs/new.md')], ['UNCLAIMED', '# New\n'])
  await assert.rejects(at('.env', 'three'), { code: 'denied' })
  await assert.rejects(at('specs', 'four'), { code: 'bad_input' })
})

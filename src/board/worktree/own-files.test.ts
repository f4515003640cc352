import assert from 'node:assert/strict'
import { readdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../../sandbox/test-folder.ts'
import { openTestStore } from '../../store/test-store.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { claimWithWorktree } from '../task/claim.ts'
import { beginGoal } from '../goal/init.ts'
import { writeProjection } from '../view/projection.ts'
import { writeSprintReport } from '../view/sprint-report.ts'
import { readyBoard } from '../test-board.ts'

test('[B66] a project whose .troupe leads elsewhere gets no board, and nothing is written there', async (t) => {
  const [driver, repository, elsewhere] = [await openTestStore(t), await makeTestRepository(t, { 'a.txt': 'one\n' }), await testFolder(t)]
  await symlink(elsewhere, join(repository.root, '.troupe'))

  const made = beginGoal(driver, repository, { goal: 'List the users' }, 'ann')

  await assert.rejects(made, /\.troupe was swapped for something else; nothing was touched/)
  assert.deepEqual(await readdir(elsewhere), [])
})

test('[B66] a link that takes the place of .troupe or a folder in it is not followed by worktrees, reports or copies', async (t) => {
  const board = await readyBoard(t)
  const [coder, elsewhere, own] = [await board.agent('coder-1'), await testFolder(t), join(board.repository.root, '.troupe')]
  for (const name of ['worktrees', 'reports']) {
    await rm(join(own, name), { recursive: true, force: true })
    await symlink(elsewhere, join(own, name))
  }

  await assert.rejects(claimWithWorktree(board, coder, 'task-1'), /worktrees was swapped/)
  await assert.rejects(writeSprintReport(board), {
    message: /under CHECKPOINT, but its report was not written: .*reports was swapped/,
    next: [{ operation: 'board.view_report' }, { operation: 'board.resume', input: { decision: 'DECISION' } }],
  })
  await rename(own, `${own}-aside`)
  await symlink(elsewhere, own)
  await assert.rejects(writeProjection(board), /\.troupe was swapped/)

  assert.deepEqual(await readdir(elsewhere), [])
  assert.equal((await board.task('task-1')).status, 'UNCLAIMED')
})

import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitText, openRepository } from '../../worktrees/repository.ts'
import { beginGoal } from '../goal/init.ts'
import { placeOf } from './prepare.ts'
import { openProject } from '../find.ts'
import { claimedBoard } from '../test-board.ts'

test('[B46] in the worktree of a task the board of its project is meant, and a second one is refused there', async (t) => {
  const { board } = await claimedBoard(t)
  const { root } = board.repository
  const { path } = placeOf(root, { id: 'task-1' })
  const stranger = join(root, '.troupe/worktrees/stranger')
  await mkdir(join(path, 'deep'))
  await gitText(root, ['init', '--quiet', stranger])

  const found = [await openProject(path), await openProject(join(path, 'deep')), await openProject(root), await openProject(stranger)]
  const second = beginGoal(board.driver, await openRepository(path), { goal: 'Another' }, 'ann')

  assert.deepEqual(
    found.map((project) => project.root),
    [root, root, root, stranger],
  )
  await assert.rejects(second, { code: 'bad_input', message: `${path} is the worktree of a task; open the board in ${root}` })
})

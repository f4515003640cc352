import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { branchHead, keepUnderRef } from './branch.ts'
import { gitText } from './repository.ts'
import { commitFiles, fileAt, makeTestWorktree } from './test-repository.ts'
import { createWorktree, removeWorktree } from './worktree.ts'

test('[T3] a removed worktree leaves its work, committed or not, under a ref', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  await commitFiles(worktree.path, { 'b.txt': 'committed\n' }, 'Add b')
  await writeFile(join(worktree.path, 'c.txt'), 'not yet committed\n')

  const ref = await removeWorktree(repository, worktree, 'kept/1')

  assert.equal(existsSync(worktree.path), false)
  assert.equal(await branchHead(repository, 'task/1'), null)
  assert.equal(await fileAt(repository.root, ref ?? '', 'b.txt'), 'committed\n')
  assert.equal(await fileAt(repository.root, ref ?? '', 'c.txt'), 'not yet committed\n')
})

test('[T3] of a merged worktree nothing is kept but what is not merged, new files that git is told not to show included', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  await gitText(repository.root, ['config', 'status.showUntrackedFiles', 'no'])
  const merged = await commitFiles(worktree.path, { 'b.txt': 'merged\n' }, 'Add b')
  const clean = await createWorktree(repository, `${repository.root}/.git/clean`, 'task/2', merged)
  await writeFile(join(worktree.path, 'c.txt'), 'new\n')

  const none = await removeWorktree(repository, clean, 'kept/2', merged)
  const ref = await removeWorktree(repository, worktree, 'kept/1', merged)

  assert.deepEqual([none, existsSync(clean.path), await branchHead(repository, 'task/2')], [null, false, null])
  assert.equal(await fileAt(repository.root, ref ?? '', 'c.txt'), 'new\n')
})

test('[T3] what a person does in a worktree after checking something else out there is kept as well', async (t) => {
  for (const left of ['d.txt', null]) {
    const { repository, worktree } = await makeTestWorktree(t)
    const merged = await commitFiles(worktree.path, { 'b.txt': 'merged\n' }, 'Add b')
    await gitText(worktree.path, ['checkout', '--quiet', '--detach'])
    await commitFiles(worktree.path, { 'c.txt': 'committed beside\n' }, 'Add c')
    if (left !== null) await writeFile(join(worktree.path, left), 'new\n')

    const own = await removeWorktree(repository, worktree, 'kept/1', merged)

    assert.deepEqual([own, existsSync(worktree.path), await branchHead(repository, 'task/1')], [null, false, null])
    const beside = await gitText(repository.root, ['ls-tree', '--name-only', 'refs/troupe/kept/1-beside'])
    assert.deepEqual(beside.split('\n'), ['a.txt', 'b.txt', 'c.txt', left].filter(Boolean))
  }
})

test('[T3] what was kept under a name stays where something else is kept under it later', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  const [one, two] = [await commitFiles(worktree.path, { 'b.txt': '1' }, '1'), await commitFiles(worktree.path, { 'b.txt': '2' }, '2')]

  const refs = [await keepUnderRef(repository, 'kept/1', one), await keepUnderRef(repository, 'kept/1', two)]
  const again = [await keepUnderRef(repository, 'kept/1', one), await keepUnderRef(repository, 'kept/1', two)]

  assert.deepEqual(await Promise.all(refs.map((ref) => gitText(repository.root, ['rev-parse', ref]))), [one, two])
  assert.deepEqual(again, refs)
})

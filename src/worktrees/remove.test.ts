import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder } from '../sandbox/test-folder.ts'
import { writeFiles } from '../sandbox/test-workspace.ts'
import { branchHead, keepUnderRef } from './branch.ts'
import { agentAuthor, commitAll } from './commit.ts'
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

for (const flag of ['--skip-worktree', '--assume-unchanged']) {
  test(`[T3] a change that git was told not to look at (${flag}) is kept`, async (t) => {
    const { repository, worktree } = await makeTestWorktree(t)
    await gitText(worktree.path, ['update-index', flag, 'a.txt'])
    await writeFile(join(worktree.path, 'a.txt'), 'changed\n')

    const ref = await removeWorktree(repository, worktree, 'kept/1', worktree.base_commit)

    assert.equal(await fileAt(repository.root, ref ?? '', 'a.txt'), 'changed\n')
  })
}

test('[T3] files that a sparse checkout leaves out do not count as deleted', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
  const other = await createWorktree(repository, `${repository.root}/.git/other`, 'task/2', 'main')
  for (const { path } of [worktree, other]) await gitText(path, ['sparse-checkout', 'set', '--no-cone', '/a.txt'])
  await writeFile(join(other.path, 'a.txt'), 'changed\n')

  const none = await removeWorktree(repository, worktree, 'kept/1', worktree.base_commit)
  const ref = await removeWorktree(repository, other, 'kept/2', other.base_commit)

  assert.equal(none, null)
  assert.equal(await fileAt(repository.root, ref ?? '', 'a.txt'), 'changed\n')
  assert.equal(await fileAt(repository.root, ref ?? '', 'sub/b.txt'), 'two\n')
})

test('[T3] what was staged and is in no file any more is kept, also beside a merge in conflict', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': 'one\n' })
  const other = await commitFiles(repository.root, { 'a.txt': 'theirs\n' }, 'Differ')
  await commitFiles(worktree.path, { 'a.txt': 'mine\n' }, 'Mine')
  await gitText(worktree.path, ['merge', other]).catch(() => undefined)
  for (const name of ['gone.txt', 'over.txt']) await writeFile(join(worktree.path, name), 'staged\n')
  await gitText(worktree.path, ['add', 'gone.txt', 'over.txt'])
  await rm(join(worktree.path, 'gone.txt'))
  await writeFile(join(worktree.path, 'over.txt'), 'later\n')

  const ref = await removeWorktree(repository, worktree, 'kept/1')

  assert.equal(await fileAt(repository.root, ref ?? '', 'over.txt'), 'later\n')
  for (const name of ['gone.txt', 'over.txt']) assert.equal(await fileAt(repository.root, `${ref}^2`, name), 'staged\n')
})

test('[T3] few and small files that git ignores are kept, but no secrets, nothing installed, and not many', async (t) => {
  const ignore = { '.gitignore': '*.log\n.env\nnode_modules\nbuilt\n' }
  const { repository, worktree } = await makeTestWorktree(t, ignore)
  const many = await createWorktree(repository, `${repository.root}/.git/many`, 'task/2', 'main')
  const done = await createWorktree(repository, `${repository.root}/.git/done`, 'task/3', 'main')
  await writeFiles(worktree.path, { 'a.log': 'log\n', '.env': 'KEY=1\n', 'node_modules/x/index.js': '' })
  await writeFiles(many.path, Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`built/${at}`, ''])))
  await writeFiles(done.path, { 'a.log': 'log\n' })

  const ref = await removeWorktree(repository, worktree, 'kept/1')
  const built = await removeWorktree(repository, many, 'kept/2')
  const merged = await removeWorktree(repository, done, 'kept/3', done.base_commit)

  assert.deepEqual((await gitText(repository.root, ['ls-tree', '-r', '--name-only', ref ?? ''])).split('\n'), ['.gitignore', 'a.log'])
  assert.deepEqual([await gitText(repository.root, ['rev-parse', built ?? '']), merged], [many.base_commit, null])
})

test('[T3, T15] the commits of a repository that was made inside a worktree are kept, whether its files were committed or not', async (t) => {
  for (const isCommitted of [true, false]) {
    const { repository, worktree } = await makeTestWorktree(t)
    const nested = join(worktree.path, 'deep/nested')
    await mkdir(nested, { recursive: true })
    await gitText(nested, ['init', '--quiet'])
    const first = await commitFiles(nested, { 'n.txt': 'first\n' }, 'First')
    await commitFiles(nested, { 'n.txt': 'second\n' }, 'Second')
    const merged = isCommitted ? await commitAll(worktree.path, 'Nest', agentAuthor('coder-1')) : null

    const ref = await removeWorktree(repository, worktree, 'kept/1', merged)

    const out = await testFolder(t)
    await gitText(repository.root, ['--work-tree', out, 'checkout', '--quiet', ref ?? '', '--', '.'])
    await rename(join(out, 'deep/nested/.git-kept'), join(out, 'deep/nested/.git'))
    assert.equal(await fileAt(join(out, 'deep/nested'), first, 'n.txt'), 'first\n')
    assert.equal(await gitText(join(out, 'deep/nested'), ['status', '--porcelain']), '')
  }
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { moveBranch } from './branch.ts'
import { agentAuthor, commitAll, uncommittedFiles } from './commit.ts'
import { changedFiles, filePatches, patchBetween } from './diff.ts'
import { mergeCommits } from './merge.ts'
import { commitOf, gitText, openRepository } from './repository.ts'
import { commitFiles, makeTestRepository, makeTestWorktree } from './test-repository.ts'
import { createWorktree, inThrowAway, isWorktree, removeWorktree } from './worktree.ts'
import { testFolder } from '../sandbox/test-folder.ts'

test('[T1] a worktree stands on its own branch and the user’s checkout, index and status stay as they were', async (t) => {
  const repository = await makeTestRepository(t)
  await writeFile(join(repository.root, 'mine.txt'), 'not committed')
  const before = await gitText(repository.root, ['status', '--porcelain', '--branch'])

  const worktree = await createWorktree(repository, `${repository.root}/.git/troupe-wt/task-1`, 'task/task-1', 'main')
  await commitFiles(worktree.path, { 'a.txt': 'two\n' }, 'Change')

  assert.equal(await isWorktree(repository, worktree), true)
  assert.equal(await gitText(repository.root, ['status', '--porcelain', '--branch']), before)
  assert.equal(await readFile(join(repository.root, 'a.txt'), 'utf8'), 'one\n')
})

test('[T2] a path or branch that is taken is refused and what is there stays', async (t) => {
  const repository = await makeTestRepository(t)
  const path = `${repository.root}-taken`
  await mkdir(path)
  t.after(() => rm(path, { recursive: true, force: true }))
  await writeFile(join(path, 'work.txt'), 'precious')

  await assert.rejects(createWorktree(repository, path, 'task/x', 'main'), { code: 'conflict', message: /left untouched/ })
  await assert.rejects(createWorktree(repository, `${repository.root}/.git/wt`, 'main', 'main'), { code: 'conflict' })

  assert.equal(await readFile(join(path, 'work.txt'), 'utf8'), 'precious')
})

test('[T2] a branch name with shell characters or an option in it is refused and reaches no shell', async (t) => {
  const repository = await makeTestRepository(t)

  for (const name of ['-d', 'a..b', 'x; touch pwned', '$(touch pwned)', 'a b', '../up', '']) {
    await assert.rejects(createWorktree(repository, `${repository.root}/.git/wt`, name, 'main'), { code: 'bad_input' }, name)
  }

  assert.equal(existsSync(join(repository.root, 'pwned')), false)
})

test('[T4] a branch moves only from where it was seen, and of two movers one loses', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  const start = await gitText(repository.root, ['rev-parse', 'main'])
  const [first, second] = [await commitFiles(worktree.path, { 'b.txt': '1' }, '1'), await commitFiles(worktree.path, { 'b.txt': '2' }, '2')]
  await moveBranch(repository, 'integration', null, start)

  const moves = await Promise.all([
    moveBranch(repository, 'integration', start, first),
    moveBranch(repository, 'integration', start, second),
  ])

  assert.deepEqual(moves.toSorted(), ['lost_race', 'moved'])
})

test('[T4] a branch that someone has checked out is never moved under them', async (t) => {
  const { repository, worktree: linked } = await makeTestWorktree(t)
  const start = await gitText(repository.root, ['rev-parse', 'main'])
  const inTheWay = { code: 'conflict', message: /checked out in/ }

  await assert.rejects(moveBranch(repository, 'main', start, start), inTheWay)
  await gitText(linked.path, ['checkout', '--quiet', '--detach'])
  await moveBranch(repository, 'task/1', start, start)
  await gitText(linked.path, ['checkout', '--quiet', 'task/1'])
  await assert.rejects(moveBranch(repository, 'task/1', start, start), inTheWay)
  await rm(join(repository.commonDir, 'HEAD'))
  await symlink('refs/heads/main', join(repository.commonDir, 'HEAD'))
  await assert.rejects(moveBranch(repository, 'main', start, start), inTheWay)
})

test('[T5] a merge makes a commit nobody stands on, and a conflict names its files and moves nothing', async (t) => {
  const repository = await makeTestRepository(t)
  const one = await createWorktree(repository, `${repository.root}/.git/one`, 'task/1', 'main')
  const two = await createWorktree(repository, `${repository.root}/.git/two`, 'task/2', 'main')
  const clean = await commitFiles(one.path, { 'b.txt': 'new\n' }, 'b')
  const mine = await commitFiles(one.path, { 'a.txt': 'mine\n' }, 'mine')
  const theirs = await commitFiles(two.path, { 'a.txt': 'theirs\n' }, 'theirs')
  const refs = await gitText(repository.root, ['for-each-ref'])
  const author = agentAuthor('code-reviewer-1')

  const merged = await mergeCommits(repository, { onto: theirs, commit: clean, message: 'Merge 1', author })
  const conflict = await mergeCommits(repository, { onto: theirs, commit: mine, message: 'Merge 2', author })

  assert.equal(merged.outcome, 'merged')
  assert.equal(
    merged.outcome === 'merged' && (await gitText(repository.root, ['show', '-s', '--format=%an', merged.commit])),
    'code-reviewer-1',
  )
  assert.deepEqual(conflict.outcome === 'conflict' && conflict.files, ['a.txt'])
  assert.equal(conflict.outcome === 'conflict' && conflict.output, 'Auto-merging a.txt\nCONFLICT (content): Merge conflict in a.txt')
  assert.equal(await gitText(repository.root, ['for-each-ref']), refs)
})

test('[T6] a commit is checked out for a check and leaves nothing behind', async (t) => {
  const repository = await makeTestRepository(t)
  let place = ''

  const text = await inThrowAway(repository, 'main', async (path) => {
    place = path
    await writeFile(join(path, 'litter.txt'), 'x')
    return readFile(join(path, 'a.txt'), 'utf8')
  })

  assert.equal(text, 'one\n')
  assert.equal(existsSync(place), false)
  assert.equal((await gitText(repository.root, ['worktree', 'list'])).split('\n').length, 1)
})

test('[T7] a range names each changed file with its lines, also odd names and binary files', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': 'one\n', 'gone.txt': 'x\n' })
  await writeFile(join(worktree.path, 'tab\tand "quote".txt'), 'new\n')
  await writeFile(join(worktree.path, 'b.bin'), Buffer.from([0, 1, 2]))
  await rm(join(worktree.path, 'gone.txt'))
  const untracked = await uncommittedFiles(worktree.path)
  const head = (await commitAll(worktree.path, 'Change', agentAuthor('coder-1'))) ?? ''

  const files = await changedFiles(repository.root, worktree.base_commit, head)

  assert.deepEqual(untracked.toSorted(), ['b.bin', 'gone.txt', 'tab\tand "quote".txt'])
  assert.deepEqual(rowsOf(files, 'path', 'status', 'added'), [
    ['b.bin', 'added', null],
    ['gone.txt', 'deleted', 0],
    ['tab\tand "quote".txt', 'added', 1],
  ])
  const patch = await patchBetween(repository.root, worktree.base_commit, head)
  assert.match(patch, /^-x$/m)
  assert.match(patch, /^Binary files .*b\.bin differ$/m)
  assert.ok(!patch.includes('GIT binary patch'))
  assert.deepEqual(await uncommittedFiles(worktree.path), [])
})

test('[V21, V22] each file comes with its own patch, one that is named with all its lines, and what does not fit without', async (t) => {
  const long = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n')
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': long, 'moved.txt': `${long}\n` })
  await writeFile(join(worktree.path, 'a.txt'), long.replace('line 30', 'diff --git a/x b/x'))
  await rm(join(worktree.path, 'moved.txt'))
  await writeFile(join(worktree.path, 'sub.txt'), `${long}\n`)
  const head = (await commitAll(worktree.path, 'Change', agentAuthor('coder-1'))) ?? ''

  const all = await filePatches(repository.root, worktree.base_commit, head)
  const [whole] = await filePatches(repository.root, worktree.base_commit, head, 'a.txt')
  await writeFile(join(worktree.path, 'huge.txt'), 'x'.repeat(5_000_000))
  const later = (await commitAll(worktree.path, 'Huge', agentAuthor('coder-1'))) ?? ''
  const cut = await filePatches(repository.root, worktree.base_commit, later)

  assert.deepEqual(rowsOf(all, 'path', 'status'), [
    ['a.txt', 'changed'],
    ['moved.txt', 'deleted'],
    ['sub.txt', 'added'],
  ])
  assert.match(all[0]?.patch ?? '', /^\+diff --git a\/x b\/x$/m)
  assert.ok(!(all[0]?.patch ?? '').includes('line 59') && whole?.patch?.includes('line 59'))
  assert.deepEqual(rowsOf(cut, 'patch'), [[null], [null], [null], [null]])
})

test('[T8] a folder that is missing or no repository is refused with what to do', async (t) => {
  const repository = await makeTestRepository(t)

  await assert.rejects(openRepository(`${repository.root}/nowhere`), {
    code: 'bad_input',
    message: /nowhere is not a folder; name one that exists/,
  })
  await assert.rejects(openRepository(`${repository.root}/a.txt`), { code: 'bad_input', message: /a\.txt is not a folder; name one/ })
  await assert.rejects(openRepository('/'), { code: 'bad_input', message: /git init/ })
})

test('[T8] a repository without a commit is refused with how to make one', async (t) => {
  const folder = await testFolder(t)
  await gitText(folder, ['init', '--quiet'])

  await assert.rejects(commitOf(folder, 'HEAD'), {
    code: 'bad_input',
    message: /has no commit yet; make one first: git add \. && git commit/,
  })
})

test('[S22] a repository’s hooks do not run when we commit in it', async (t) => {
  const repository = await makeTestRepository(t)
  for (const hook of ['pre-commit', 'post-commit', 'post-checkout', 'reference-transaction']) {
    await writeFile(join(repository.commonDir, 'hooks', hook), '#!/bin/sh\ntouch "$(git rev-parse --git-common-dir)/pwned"\nexit 1\n', {
      mode: 0o755,
    })
  }

  const worktree = await createWorktree(repository, `${repository.root}/.git/wt`, 'task/1', 'main')
  await commitFiles(worktree.path, { 'b.txt': 'x' }, 'b')

  assert.equal(existsSync(join(repository.commonDir, 'pwned')), false)
})

test('[T10] nothing that the repository or one nested in a worktree configures runs when we commit, look or merge', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': 'one\n', '.gitattributes': 'a.txt filter=evil merge=evil\n' })
  const ran = join(repository.commonDir, 'ran')
  const nested = join(worktree.path, 'nested')
  await mkdir(nested)
  await gitText(nested, ['init', '--quiet'])
  await commitFiles(nested, { 'f.txt': '1\n', '.gitattributes': '* filter=evil\n' }, 'One')
  await commitAll(worktree.path, 'Nest', agentAuthor('coder-1'))
  const included = join(repository.commonDir, 'included')
  for (const name of ['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process', 'merge.evil.driver']) {
    await gitText(nested, ['config', name, `touch ${ran}; cat`])
    await gitText(repository.root, ['config', '--file', included, name, `touch ${ran}; cat`])
  }
  await gitText(repository.root, ['config', 'include.path', included])
  await writeFile(join(nested, 'f.txt'), '2\n')

  const work = await commitFiles(worktree.path, { 'a.txt': 'two\n' }, 'Change')
  const onto = await commitFiles(repository.root, { 'a.txt': 'six\n' }, 'Differ')
  const merged = await mergeCommits(repository, { onto, commit: work, message: 'Merge', author: agentAuthor('code-reviewer-1') })
  await removeWorktree(repository, worktree, 'refs/troupe/kept/1')

  assert.equal(merged.outcome, 'conflict')
  assert.equal(existsSync(ran), false)
})

test('[T15] the files of a repository that was made inside a worktree are committed and kept like all others', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t, { 'a.txt': 'one\n' })
  for (const made of ['app', 'app/deep', 'late']) {
    await mkdir(join(worktree.path, made))
    await gitText(join(worktree.path, made), ['init', '--quiet'])
  }
  await writeFile(join(worktree.path, 'app/deep/d.txt'), 'deep\n')
  await commitFiles(join(worktree.path, 'app'), { 'a.txt': 'inner\n', '.gitignore': 'built\n' }, 'One')
  await writeFile(join(worktree.path, 'app/built'), 'x')

  const commit = await commitAll(worktree.path, 'Nest', agentAuthor('coder-1'))
  await writeFile(join(worktree.path, 'late/l.txt'), 'late\n')
  const kept = await removeWorktree(repository, worktree, 'refs/troupe/kept/1')

  const [then, last] = await Promise.all([commit, kept].map((at) => gitText(repository.root, ['ls-tree', '-r', '--name-only', at ?? ''])))
  assert.deepEqual(then?.split('\n'), ['a.txt', 'app/.gitignore', 'app/a.txt', 'app/deep/d.txt'])
  assert.match(last ?? '', /^late\/l\.txt$/m)
})

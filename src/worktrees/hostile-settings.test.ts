import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { agentAuthor, commitAll } from './commit.ts'
import { mergeCommits } from './merge.ts'
import { gitText, openRepository, type Repository } from './repository.ts'
import { commitFiles, makeTestRepository } from './test-repository.ts'
import { createWorktree, inThrowAway, removeWorktree, restoreWorktree } from './worktree.ts'

/** Where a repository may name the file that holds a filter; that file is `more` in the git folder unless it says otherwise. */
interface Hidden {
  /** Added to the settings of the repository. */
  config?: string
  /** Other files of the git folder; PROGRAMS stands for the programs. */
  files?: Record<string, string>
}

const PROGRAMS = 'PROGRAMS'

/** Git compares a file that is not older than its index whenever it writes the index. */
const SOON = new Date(Date.now() + 3_600_000)

/** Most hold in a worktree, or on its branch, and not where the user has the repository checked out. */
const places: Record<string, Hidden> = {
  'the settings outright': { config: '[include]\n\tpath = more\n' },
  'gitdir:': { config: includeIf('gitdir:**/worktrees/**') },
  'gitdir:, as a folder': { config: includeIf('gitdir:worktrees/') },
  'gitdir/i:': { config: includeIf('gitdir/i:**/WORKTREES/**') },
  'onbranch:': { config: includeIf('onbranch:task/**') },
  'onbranch:, with an escaped name': { config: '[InCluDeIf "onbranch:ta\\sk/**"] pAtH = "mo"re\n' },
  'a condition in a file that is included': {
    config: '[include]\n\tpath = ./first\n',
    files: { first: '[include]\n\tpath = second\n', second: includeIf('gitdir:**/worktrees/**'), more: PROGRAMS },
  },
  'a condition behind a condition that always holds': {
    config: includeIf('gitdir:**', 'first'),
    files: { first: includeIf('onbranch:task/**'), more: PROGRAMS },
  },
  'the settings of a worktree': {
    config: '[extensions]\n\tworktreeConfig = true\n',
    files: { 'config.worktree': includeIf('onbranch:task/**', '../../more') },
  },
  'the settings of a worktree, by a path that leads elsewhere in each': {
    config: '[extensions]\n\tworktreeConfig = true\n',
    files: { 'config.worktree': '[include]\n\tpath = ../../more\n', more: PROGRAMS },
  },
}

for (const [place, hidden] of Object.entries(places)) {
  test(`[T10] no filter or merge program runs that is named by ${place}`, async (t) => {
    const repository = await makeTestRepository(t, { 'a.txt': 'one\n', '.gitattributes': '* filter=evil merge=evil\n' })
    const ran = await hide(repository, hidden)
    const author = agentAuthor('coder-1')

    const worktree = await createWorktree(repository, `${repository.root}/.git/wt`, 'task/1', 'main')
    const work = await commitFiles(worktree.path, { 'a.txt': 'two\n' }, 'Change')
    await inThrowAway(repository, work, async (path) => gitText(path, ['status']))
    await rm(worktree.path, { recursive: true })
    await restoreWorktree(repository, worktree.path, 'task/1')
    const onto = await commitFiles(repository.root, { 'a.txt': 'six\n' }, 'Differ')
    const merged = await mergeCommits(repository, { onto, commit: work, message: 'Merge', author })
    await gitText(worktree.path, ['merge', '--no-edit', onto]).catch(() => commitAll(worktree.path, 'Settle', author))
    await writeFile(join(worktree.path, 'a.txt'), 'left\n')
    await utimes(join(worktree.path, 'a.txt'), SOON, SOON)
    await removeWorktree(repository, worktree, 'kept/1')

    assert.equal(merged.outcome, 'conflict')
    assert.equal(existsSync(ran), false)
  })
}

test('[T10] settings for worktrees that name no program are no hindrance, and the files are all there', async (t) => {
  const repository = await makeTestRepository(t, { 'a.txt': 'one\n' })
  await appendFile(join(repository.commonDir, 'config'), includeIf('onbranch:task/**'))
  await writeFile(join(repository.commonDir, 'more'), '[user]\n\tname = Of The Task\n')

  const worktree = await createWorktree(repository, `${repository.root}/.git/wt`, 'task/1', 'main')

  assert.equal(await gitText(worktree.path, ['status', '--porcelain']), '')
  assert.equal(existsSync(join(worktree.path, 'a.txt')), true)
  assert.equal(existsSync(join(repository.commonDir, 'worktrees/wt/locked')), false)
})

test('[T11] a worktree whose files cannot all be laid out is not left behind', async (t) => {
  const repository = await makeTestRepository(t, { 'a.txt': 'one\n' })
  const blob = await gitText(repository.root, ['rev-parse', 'HEAD:a.txt'])
  await rm(join(repository.commonDir, 'objects', blob.slice(0, 2), blob.slice(2)))
  const path = `${repository.root}/.git/wt`

  await assert.rejects(createWorktree(repository, path, 'task/1', 'main'), { code: 'conflict' })

  assert.equal(existsSync(path), false)
  assert.equal(existsSync(join(repository.commonDir, 'worktrees')), false)
})

for (const [kind, elsewhere] of [
  ['another folder', (root: string) => `${root}-other`],
  ['the folder above it', (root: string) => join(root, '..')],
  ['a folder in it', (root: string) => join(root, 'sub')],
] as const) {
  test(`[T17] a repository whose settings lay its files over ${kind} is refused, and nothing is made there`, async (t) => {
    const { root, commonDir } = await makeTestRepository(t, { 'a.txt': 'one\n', 'sub/b.txt': 'two\n' })
    const other = elsewhere(root)
    await mkdir(other, { recursive: true })
    t.after(() => rm(`${root}-other`, { recursive: true, force: true }))
    await gitText(root, ['config', 'core.worktree', other])

    await assert.rejects(openRepository(root), { code: 'denied', message: /core\.worktree/ })
    await assert.rejects(openRepository(join(root, 'sub')), { code: 'denied' })

    assert.equal(existsSync(join(commonDir, 'worktrees')), false)
  })
}

test('[T17] a folder that is itself a git folder, with settings that make it a checkout, is refused', async (t) => {
  const { root, commonDir } = await makeTestRepository(t)
  await gitText(root, ['config', 'core.worktree', root])
  for (const name of ['HEAD', 'config', 'objects', 'refs']) await rename(join(commonDir, name), join(root, name))

  await assert.rejects(openRepository(root), { code: 'denied' })
})

test('[T17] a worktree, a submodule and a git folder of one’s own elsewhere are repositories like any other', async (t) => {
  const [one, two] = [await makeTestRepository(t), await makeTestRepository(t)]
  const worktree = await createWorktree(one, `${one.root}/.git/wt`, 'task/1', 'main')
  await gitText(one.root, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', two.root, 'part'], {
    env: { GIT_ALLOW_PROTOCOL: 'file' },
  })
  await gitText(two.root, ['init', '--quiet', `--separate-git-dir=${two.root}/apart`])

  const tops = await Promise.all([worktree.path, join(one.root, 'part'), two.root].map((folder) => openRepository(folder)))

  assert.deepEqual(each(tops, 'root'), [worktree.path, join(one.root, 'part'), two.root])
})

function includeIf(condition: string, file = 'more'): string {
  return `[includeIf "${condition}"]\n\tpath = ${file}\n`
}

/** Lays the settings out. Gives the file that is there once any of the programs was started. */
async function hide({ commonDir }: Repository, { config = '', files = {} }: Hidden): Promise<string> {
  const ran = join(commonDir, 'ran')
  const program = `"touch ${ran}; cat"`
  const programs = `[filter "evil"]\n\tclean = ${program}\n\tsmudge = ${program}\n[merge "evil"]\n\tdriver = ${program}\n`
  await mkdir(commonDir, { recursive: true })
  for (const [name, text] of Object.entries({ more: PROGRAMS, ...files })) {
    await writeFile(join(commonDir, name), text === PROGRAMS ? programs : text)
  }
  await appendFile(join(commonDir, 'config'), config)
  return ran
}

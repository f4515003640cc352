import { copyFileSync, existsSync, lstatSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { gitPlace } from '../sandbox/git/place.ts'
import { secretRule } from '../sandbox/files/secret.ts'
import { agentAuthor, commitTree, stage } from './commit.ts'
import { gitText, LIST_BYTES } from './repository.ts'
import { statusOf, type CheckoutStatus } from './status.ts'

/** Ignored files are kept where there are few and small ones: more than this is what was built or installed. */
const IGNORED_FILES = 200
const IGNORED_BYTES = 2_000_000

/** The records of a repository that somebody made inside a worktree are kept up to this. */
const RECORD_FILES = 5_000
const RECORD_BYTES = 20_000_000

/** What the records of such a repository are called where they are kept: git takes no file that is in a folder `.git`. */
const RECORDS = '.git-kept'

/**
 * A commit of everything in a folder of that status, on top of its HEAD; its index and branch stay. HEAD itself when there is nothing
 * else. What is staged and is in no file any more is a second parent. `merged` is where all work is known to be elsewhere: then
 * ignored files alone are not worth a commit.
 */
export async function keepEverything(path: string, status: CheckoutStatus, message: string, merged: string | null): Promise<string> {
  const { head, files } = status
  if (head === null) throw new Problem('not_found', `${path} has no commit checked out`)
  const [unseen, records, ignored] = [await unseenFiles(path), await recordsIn(path), await ignoredFiles(path)]
  const isHidden = unseen.some((name) => existsSync(join(path, name)))
  const isWorthIt = files.length > 0 || isHidden || records.length > 0 || (ignored.length > 0 && head !== merged)
  if (!isWorthIt) return head
  return withIndex(async (index) => {
    const env = { GIT_INDEX_FILE: index }
    await gitText(path, ['read-tree', 'HEAD'], { env })
    const leftOut = new Set(unseen.filter((name) => !existsSync(join(path, name)))) // by a sparse checkout; nobody has deleted them
    const changed = (await statusOf(path, env)).files.filter((name) => !leftOut.has(name))
    await stage(path, [...new Set([...changed, ...ignored])], env)
    await addRecords(path, records, env)
    const tree = await gitText(path, ['write-tree'], { env })
    const staged = status.overwrites || isHidden ? await stagedOnly(path, head, tree, message) : []
    const isHead = staged.length === 0 && tree === (await gitText(path, ['rev-parse', `${head}^{tree}`]))
    return isHead ? head : commitTree(path, tree, [head, ...staged], message, agentAuthor('troupe'))
  })
}

async function withIndex<T>(work: (index: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-index-'))
  try {
    return await work(join(folder, 'index'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Files that git was told not to look at (`skip-worktree`, `assume-unchanged`), so that its status says nothing of them. */
async function unseenFiles(path: string): Promise<string[]> {
  const listed = await gitText(path, ['ls-files', '-v', '-z'], { outputBytes: LIST_BYTES })
  return listed.split('\0').flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2)] : []))
}

/** A commit of what is staged, where that is neither committed nor in the files; none otherwise. Files in conflict are left out. */
async function stagedOnly(path: string, head: string, kept: string, message: string): Promise<string[]> {
  const own = join(gitPlace(path)?.gitDir ?? '', 'index')
  if (!existsSync(own)) return []
  return withIndex(async (index) => {
    copyFileSync(own, index)
    const env = { GIT_INDEX_FILE: index }
    const listed = await gitText(path, ['ls-files', '-u', '-z'], { env, outputBytes: LIST_BYTES })
    const names = listed.split('\0').flatMap((line) => line.slice(line.indexOf('\t') + 1) || [])
    const stdin = [...new Set(names)].map((name) => `${name}\0`).join('')
    if (stdin !== '') await gitText(path, ['update-index', '--force-remove', '-z', '--stdin'], { env, stdin })
    const tree = await gitText(path, ['write-tree'], { env })
    const known = [kept, await gitText(path, ['rev-parse', `${head}^{tree}`])]
    return known.includes(tree) ? [] : [await commitTree(path, tree, [head], `${message}: what was staged`, agentAuthor('troupe'))]
  })
}

/** Ignored files that are kept: none of what was installed, none that hold secrets, and none at all where there are many. */
async function ignoredFiles(path: string): Promise<string[]> {
  const listed = await gitText(path, ['ls-files', '-z', '--others', '--ignored', '--exclude-standard'], { outputBytes: LIST_BYTES })
  const names = listed.split('\0').filter((name) => name !== '' && !/\/$|(?:^|\/)node_modules\/|\ufffd/.test(name))
  const files = names.filter((name) => secretRule(name, 'read') === null)
  if (files.length > IGNORED_FILES) return []
  return sizeOf(files.map((name) => join(path, name))) > IGNORED_BYTES ? [] : files
}

/** The records of repositories inside the worktree that hold commits: nobody else has them. Their files are kept by `stage`. */
async function recordsIn(path: string, below = ''): Promise<string[]> {
  const entries = await readdir(join(path, below), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  const found = await Promise.all(
    folders.map(({ name }) => (name === '.git' ? recordFiles(path, join(below, name)) : recordsIn(path, join(below, name)))),
  )
  return found.flat()
}

async function recordFiles(path: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(path, folder), { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.sample'))
    .map((entry) => join(entry.parentPath, entry.name))
  const hasCommits = files.some((file) => file.startsWith(join(path, folder, 'objects')))
  if (!hasCommits || files.length > RECORD_FILES || sizeOf(files) > RECORD_BYTES) return []
  return files.map((file) => file.slice(path.length + 1)).filter((name) => !/[\n"\ufffd]/.test(name))
}

/** As plain files under another name: no git of ours reads them, whatever their settings say. */
async function addRecords(path: string, files: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  if (files.length === 0) return
  const stdin = files.map((name) => `${name}\n`).join('')
  const ids = (await gitText(path, ['hash-object', '-w', '--no-filters', '--stdin-paths'], { stdin, outputBytes: LIST_BYTES })).split('\n')
  const lines = files.map((name, at) => `100644 ${ids[at]}\t${name.replace(/(^|\/)\.git\//, `$1${RECORDS}/`)}\0`)
  await gitText(path, ['update-index', '-z', '--index-info'], { stdin: lines.join(''), env })
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + (lstatSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { gitPlace, knownGitPlace, realOf } from '../sandbox/git/place.ts'
import { readPlainText } from '../sandbox/files/plain-text.ts'
import { readRef } from './read-ref.ts'
import { commitOf, gitProblem, gitText, LIST_BYTES } from './repository.ts'
import { statusOf } from './status.ts'

/** Whose name is on a commit; an agent's id, so that the history says who did what. */
export interface Author {
  name: string
  email: string
}

/** The author of what an agent commits. */
export function agentAuthor(id: string): Author {
  return { name: id, email: `${id}@agents.troupe.invalid` }
}

/** An author as git's environment wants it. */
export function authorEnvironment({ name, email }: Author): Record<string, string> {
  return { GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
}

/** Commits everything in a worktree that git does not ignore, and with it a merge that is under way; null when there is nothing to commit. */
export async function commitAll(path: string, message: string, author: Author): Promise<string | null> {
  refuseCutOff(path)
  const { files } = await statusOf(path)
  if (files.length === 0 && !isMerging(path)) return null
  await stage(path, files)
  const committed = await git(path, ['commit', '--quiet', '--no-verify', '--file=-'], {
    stdin: messageText(message),
    env: authorEnvironment(author),
  })
  if (committed.exit_code === 0) return headOf(path)
  if (committed.exit_code === 1 && committed.stderr === '') return null // what was staged is what was committed before
  throw gitProblem(path, 'git commit failed', committed)
}

/** Without its own `.git` git would take the checkout around it, and commit there. */
function refuseCutOff(path: string): void {
  const place = knownGitPlace(path)
  if (place !== null && place.top !== realOf(path)) throw new Problem('conflict', `${path} is no longer a worktree`)
}

/** A commit of a tree on top of others; no branch points at it yet. */
export async function commitTree(root: string, tree: string, parents: readonly string[], message: string, author: Author): Promise<string> {
  const onto = parents.flatMap((parent) => ['-p', parent])
  return gitText(root, ['commit-tree', ...onto, '-F', '-', tree], { stdin: messageText(message), env: authorEnvironment(author) })
}

/** A message as git takes it: a model may have put a NUL into it, which git refuses. */
function messageText(message: string): string {
  return message.replaceAll('\0', '\ufffd')
}

/** What was just committed. */
async function headOf(path: string): Promise<string> {
  const place = gitPlace(path)
  const ref = /^ref: (.+)$/m.exec(readPlainText(join(place?.gitDir ?? '', 'HEAD')))?.[1]
  const read = place === null || ref === undefined ? null : readRef(place.commonDir, ref)
  return read ?? commitOf(path, 'HEAD')
}

/** The settled files may be exactly what the branch held before; a merge is concluded all the same. */
function isMerging(path: string): boolean {
  return existsSync(join(gitPlace(path)?.gitDir ?? '', 'MERGE_HEAD'))
}

/** Files that are changed, staged or new and not ignored: what a submission must not leave behind. */
export async function uncommittedFiles(path: string): Promise<string[]> {
  return (await statusOf(path)).files
}

/** Puts files into the index as they are. Not `git add`: that starts git in every nested repository, under the settings an agent may have left there. */
export async function stage(path: string, files: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<void> {
  const all = await withNested(path, files)
  refuseGarbled(path, all)
  if (all.length === 0) return
  await gitText(path, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], {
    stdin: all.map((file) => `${file}\0`).join(''),
    env,
  })
}

/**
 * A repository that an agent made inside the worktree is named with a slash. Its files are listed one by one: as git would keep
 * it, a link to a commit that nobody else has, they would be lost with the worktree.
 */
async function withNested(path: string, files: readonly string[]): Promise<string[]> {
  const own = files.filter((file) => !file.endsWith('/'))
  const nested = files.filter((file) => file.endsWith('/'))
  const inside = await Promise.all(nested.map(async (repository) => withNested(path, await filesOf(path, repository))))
  return [...own, ...inside.flat()]
}

/** As our own git sees the folder; the settings of the one inside it are not read. */
async function filesOf(path: string, repository: string): Promise<string[]> {
  const gitDir = gitPlace(path)?.gitDir ?? ''
  const env = { GIT_DIR: gitDir, GIT_WORK_TREE: join(path, repository), GIT_INDEX_FILE: join(gitDir, 'no-index') }
  const listed = await gitText(path, ['ls-files', '-z', '--others', '--exclude-standard'], { env, outputBytes: LIST_BYTES })
  return listed.split('\0').flatMap((name) => (name === '' ? [] : [`${repository}${name}`]))
}

/** Git would take such a name for a file that is not there, and the real one would be left behind without a word. */
function refuseGarbled(path: string, files: readonly string[]): void {
  const garbled = files.find((file) => file.includes('\ufffd') && !existsSync(join(path, file)))
  if (garbled === undefined) return
  throw new Problem('bad_input', `the name of ${garbled} in ${path} is not UTF-8, so it cannot be committed; rename or remove it`)
}

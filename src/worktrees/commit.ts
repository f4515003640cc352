import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../sandbox/git.ts'
import { commitOf, gitText } from './repository.ts'

/** A list of names that was cut in the middle would leave work behind unseen. */
const NAMES_BYTES = 200_000_000

/** Whose name stands on a commit; an agent's id, so that the history says who did what. */
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

/** Commits everything in a worktree that git does not ignore; null when there is nothing to commit. */
export async function commitAll(path: string, message: string, author: Author): Promise<string | null> {
  await stageAll(path)
  const staged = await git(path, ['diff', '--cached', '--quiet'])
  if (staged.exit_code === 0) return null
  await gitText(path, ['commit', '--quiet', '--no-verify', '--file=-'], { stdin: message, env: authorEnvironment(author) })
  return commitOf(path, 'HEAD')
}

/** Files that are changed, staged or new and not ignored: what a submission must not leave behind. */
export async function uncommittedFiles(path: string, env: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'] as const
  const listed = await gitText(path, args, { env, outputBytes: NAMES_BYTES })
  return listed
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => line.slice(3))
}

/** A commit of everything in the folder as it is, on top of its HEAD; its index and branch stay. HEAD itself when all is committed. */
export async function snapshot(path: string, message: string): Promise<string> {
  const head = await commitOf(path, 'HEAD')
  if ((await uncommittedFiles(path)).length === 0) return head
  const folder = await mkdtemp(join(tmpdir(), 'troupe-index-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index') }
  try {
    await gitText(path, ['read-tree', 'HEAD'], { env })
    await stageAll(path, env)
    const tree = await gitText(path, ['write-tree'], { env })
    const author = authorEnvironment(agentAuthor('troupe'))
    return await gitText(path, ['commit-tree', '-p', head, '-F', '-', tree], { stdin: message, env: author })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Not `git add`: that starts git in every nested repository, under the settings an agent may have left there. */
async function stageAll(path: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  const files = await uncommittedFiles(path, env)
  const stdin = files.map((file) => `${file.replace(/\/$/, '')}\0`).join('') // a nested repository is listed with a slash
  await gitText(path, ['update-index', '--add', '--remove', '--replace', '-z', '--stdin'], { stdin, env })
}

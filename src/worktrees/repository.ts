import { realpathSync, statfsSync } from 'node:fs'
import { Problem } from '../domain/problem.ts'
import { existingFolder } from '../sandbox/files/existing-folder.ts'
import { git, type GitOptions } from '../sandbox/git/git.ts'
import { gitDirOf } from '../sandbox/git/place.ts'
import type { CommandResult } from '../sandbox/sandbox.ts'

/** A git repository with a working tree, found from any folder inside it. */
export interface Repository {
  /** The top of the working tree. */
  root: string
  /** The folder all its worktrees share. */
  commonDir: string
}

/** The repository a folder is in, or a refusal that says how to make one. */
export async function openRepository(folder: string): Promise<Repository> {
  const asked = ['--show-toplevel', '--path-format=absolute', '--git-common-dir', '--absolute-git-dir']
  const found = await git(existingFolder(folder), ['rev-parse', ...asked])
  const [root, commonDir, gitDir] = found.stdout.trim().split('\n')
  if (found.exit_code !== 0 || !root || !commonDir || !gitDir) {
    throw new Problem('bad_input', `${folder} is not inside a git repository with files checked out; run git init and commit first`)
  }
  refuseLaidOver(root, gitDir)
  return { root, commonDir: realpathSync.native(commonDir) }
}

/** With `core.worktree` a repository can name any folder of the machine as its own, and we would make, compare and remove files there. */
function refuseLaidOver(root: string, gitDir: string): void {
  if (gitDirOf(root) === realpathSync.native(gitDir)) return
  throw new Problem(
    'denied',
    `the repository ${gitDir} names ${root} as the folder of its files, but that folder does not belong to it; remove core.worktree from its settings: git config --unset core.worktree`,
    { details: { git_dir: gitDir, root } },
  )
}

/** Room for every name that git lists: a list that was cut in the middle would leave out work, or name files that are not there. */
export const LIST_BYTES = 200_000_000

/** What git printed, or a Problem that carries what git said. For commands that must succeed. */
export async function gitText(root: string, args: readonly [string, ...string[]], options: GitOptions = {}): Promise<string> {
  const result = await git(root, args, options)
  if (result.exit_code === 0) return result.stdout.trimEnd()
  throw gitProblem(root, `git ${args[0]} failed`, result, { args, exit_code: result.exit_code })
}

/** How git says that there is no room; of files it lays out and of refs it moves without the reason. */
const NO_ROOM = /No space left on device|Disk quota exceeded|Out of diskspace|unable to write file|couldn.t write/

/** What git could not do, in its own words. Where the disk was full that is said, with how much is left of it. */
export function gitProblem(
  root: string,
  what: string,
  { stderr, stdout, ended }: CommandResult,
  details: Record<string, unknown> = {},
): Problem {
  const said = `${what}: ${(stderr || stdout).trim() || ended}`
  if (!NO_ROOM.test(said)) return new Problem('conflict', said, { details })
  const { bavail, bsize } = statfsSync(root)
  const left = `${((bavail * bsize) / 1_000_000).toFixed(1)} MB`
  return new Problem('disk_full', `the disk is full at ${root} (${left} left); make room and try again. ${said}`, {
    details,
  })
}

/** The full SHA of the commit a name means, or null when it means none. */
export async function findCommit(root: string, name: string): Promise<string | null> {
  const found = await git(root, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  return found.exit_code === 0 ? found.stdout.trim() : null
}

/** The full SHA of the commit a name means; naming nothing is refused. */
export async function commitOf(root: string, name: string): Promise<string> {
  const sha = await findCommit(root, name)
  if (sha !== null) return sha
  if (name === 'HEAD')
    throw new Problem('bad_input', `the repository at ${root} has no commit yet; make one first: git add . && git commit`)
  throw new Problem('not_found', `${name} is not a commit of the repository at ${root}`)
}

/** Whether every commit of `earlier` is also in `later`. */
export async function isAncestor(root: string, earlier: string, later: string): Promise<boolean> {
  const answer = await git(root, ['merge-base', '--is-ancestor', earlier, later])
  return answer.exit_code === 0
}

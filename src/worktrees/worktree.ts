import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git.ts'
import { branchHead, checkBranchName, keepUnderRef } from './branch.ts'
import { snapshot } from './commit.ts'
import { commitOf, gitText, type Repository } from './repository.ts'

/** A folder with a branch of its own checked out; the user's checkout knows nothing of it. */
export interface Worktree {
  path: string
  branch: string
  base_commit: string
}

/** Makes a worktree on a new branch. A path or branch that is taken is refused and left as it is: it may be somebody's work. */
export async function createWorktree(repository: Repository, path: string, branch: string, base: string): Promise<Worktree> {
  await checkBranchName(repository, branch)
  const base_commit = await commitOf(repository.root, base)
  if (existsSync(path)) throw new Problem('conflict', `there is something at ${path} already; it is left untouched`)
  await mkdir(dirname(path), { recursive: true })
  await gitText(repository.root, ['worktree', 'add', '--quiet', '--no-track', '-b', branch, '--', path, base_commit])
  return { path: await realpath(path), branch, base_commit }
}

/** Lays a worktree out again whose folder is gone and whose branch is still there. */
export async function restoreWorktree(repository: Repository, path: string, branch: string): Promise<void> {
  await checkBranchName(repository, branch)
  if (existsSync(path)) throw new Problem('conflict', `there is something at ${path} already; it is left untouched`)
  await git(repository.root, ['worktree', 'prune'])
  await mkdir(dirname(path), { recursive: true })
  await gitText(repository.root, ['worktree', 'add', '--quiet', '--', path, branch])
}

/** Whether the folder is a worktree of this repository standing on that branch. */
export async function isWorktree(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>): Promise<boolean> {
  if (!existsSync(path)) return false
  const found = await git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--symbolic-full-name', 'HEAD'])
  const [commonDir, ref] = found.stdout.trim().split('\n')
  if (found.exit_code !== 0 || commonDir === undefined) return false
  return (await realpath(commonDir)) === repository.commonDir && ref === `refs/heads/${branch}`
}

/**
 * Takes a worktree and its branch away. What was in it, committed or not, is first kept under a ref named `keepAs`:
 * work is never deleted, only put aside.
 */
export async function removeWorktree(
  repository: Repository,
  worktree: Pick<Worktree, 'path' | 'branch'>,
  keepAs: string,
): Promise<string | null> {
  const kept = await keepWork(repository, worktree, keepAs)
  if (existsSync(worktree.path)) await gitText(repository.root, ['worktree', 'remove', '--force', '--force', '--', worktree.path])
  await git(repository.root, ['worktree', 'prune'])
  await git(repository.root, ['branch', '--quiet', '-D', '--', worktree.branch])
  return kept
}

async function keepWork(repository: Repository, worktree: Pick<Worktree, 'path' | 'branch'>, keepAs: string): Promise<string | null> {
  const usable = await isWorktree(repository, worktree)
  const commit = usable
    ? await snapshot(worktree.path, `Kept when ${worktree.branch} was put aside`)
    : await branchHead(repository, worktree.branch)
  return commit === null ? null : keepUnderRef(repository, keepAs, commit)
}

/** Checks a commit out into a folder that exists only while `work` runs. */
export async function inThrowAway<Result>(
  repository: Repository,
  commit: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-check-')))
  const path = join(folder, 'tree')
  try {
    await gitText(repository.root, ['worktree', 'add', '--quiet', '--detach', '--', path, commit])
    return await work(path)
  } finally {
    await git(repository.root, ['worktree', 'remove', '--force', '--force', '--', path])
    await rm(folder, { recursive: true, force: true })
    await git(repository.root, ['worktree', 'prune'])
  }
}

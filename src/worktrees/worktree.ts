import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git.ts'
import { gitPlace, realOf, textOf } from '../sandbox/git-place.ts'
import { isInside } from '../sandbox/inside.ts'
import { openUp, removeFolder } from '../sandbox/remove-folder.ts'
import type { CommandResult } from '../sandbox/sandbox.ts'
import { scratchFolder } from '../sandbox/scratch-folder.ts'
import { branchHead, checkBranchName, checkoutOf, keepUnderRef, refuseOption } from './branch.ts'
import { snapshot } from './commit.ts'
import { isFullId } from './read-ref.ts'
import { commitOf, gitProblem, gitText, type Repository } from './repository.ts'
import { statusOf, type CheckoutStatus } from './status.ts'

/** A folder with a branch of its own checked out; the user's checkout knows nothing of it. */
export interface Worktree {
  path: string
  branch: string
  base_commit: string
}

/** Makes a worktree on a new branch. A path or branch that is taken is refused and left as it is: it may be somebody's work. */
export async function createWorktree(repository: Repository, path: string, branch: string, base: string): Promise<Worktree> {
  refuseOption(branch)
  const base_commit = isFullId(base) ? base : await commitOf(repository.root, base)
  await makeRoom(repository, path)
  const added = await addWorktree(repository, path, branch, base_commit)
  if (added.exit_code === 0) return { path: realpathSync.native(path), branch, base_commit }
  await checkBranchName(repository, branch)
  throw gitProblem(repository.root, `git could not make a worktree at ${path}`, added)
}

/** How git fails that meets the records of worktrees while another git adds or removes one. */
const MET_ANOTHER = /failed to read .*commondir|could not create directory of .*worktrees/

const TRIES = 10

/** Git makes the branch first, and refuses one that is there: one that is there after it failed in any other way is its own. */
async function addWorktree(repository: Repository, path: string, branch: string, base: string): Promise<CommandResult> {
  const add = (...what: string[]) => git(repository.root, ['worktree', 'add', '--quiet', ...what])
  let added = await add('--no-track', '-b', branch, '--', path, base)
  for (let tried = 1; tried < TRIES && added.exit_code !== 0 && MET_ANOTHER.test(added.stderr); tried++) {
    const isMade = (await branchHead(repository, branch)) !== null
    added = await (isMade ? add('--', path, branch) : add('--no-track', '-b', branch, '--', path, base))
  }
  return added
}

/** Lays a worktree out again whose folder is gone and whose branch is still there. */
export async function restoreWorktree(repository: Repository, path: string, branch: string): Promise<void> {
  await checkBranchName(repository, branch)
  await makeRoom(repository, path)
  await git(repository.root, ['worktree', 'prune'])
  await gitText(repository.root, ['worktree', 'add', '--quiet', '--', path, branch])
}

/** Whether the folder is a worktree of this repository standing on that branch, laid out completely. */
export async function isWorktree(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>): Promise<boolean> {
  if (!existsSync(path) || isHalfMade(repository, path)) return false
  const found = await git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--symbolic-full-name', 'HEAD'])
  const [commonDir, ref] = found.stdout.trim().split('\n')
  if (found.exit_code !== 0 || commonDir === undefined) return false
  return realpathSync.native(commonDir) === repository.commonDir && ref === `refs/heads/${branch}`
}

/** What is in a worktree of this repository that stands on that branch; null where the folder is no such worktree. */
export async function worktreeStatus(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>) {
  if (!existsSync(path) || isHalfMade(repository, path) || commonDirOf(path) !== repository.commonDir) return null
  const status = await statusOf(path)
  return status.branch === branch ? status : null
}

function commonDirOf(path: string): string | null {
  try {
    return gitPlace(path)?.commonDir ?? null
  } catch {
    return null // it belongs to a repository that does not know it
  }
}

/**
 * Takes a worktree and its branch away. What was in it, committed or not, is first kept under a ref named `keepAs`:
 * work is never deleted, only put aside. What is exactly the commit that was merged needs no other ref.
 */
export async function removeWorktree(
  repository: Repository,
  worktree: Pick<Worktree, 'path' | 'branch'>,
  keepAs: string,
  merged: string | null = null,
): Promise<string | null> {
  if (existsSync(worktree.path)) await openUp(worktree.path)
  const status = await worktreeStatus(repository, worktree)
  if (status === null) await refuseElsewhere(repository, worktree)
  const kept = await keepWork(repository, worktree, status, keepAs, merged)
  if (isHalfMade(repository, worktree.path)) await makeRoom(repository, worktree.path)
  if (existsSync(worktree.path)) await gitText(repository.root, ['worktree', 'remove', '--force', '--force', '--', worktree.path])
  else await git(repository.root, ['worktree', 'prune'])
  await git(repository.root, ['branch', '--quiet', '-D', '--', worktree.branch])
  return kept
}

/** Git would keep the branch, and say at the next worktree only that it is there. */
async function refuseElsewhere(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>): Promise<void> {
  const holder = await checkoutOf(repository, branch)
  if (holder === null || holder === path || holder === (realOf(path) ?? path)) return
  throw new Problem(
    'conflict',
    `the branch ${branch} is checked out in ${holder}; check out another branch there so that it can be put aside`,
  )
}

async function keepWork(
  repository: Repository,
  { path, branch }: Pick<Worktree, 'path' | 'branch'>,
  status: CheckoutStatus | null,
  keepAs: string,
  merged: string | null,
): Promise<string | null> {
  const commit = status === null ? await branchHead(repository, branch) : await snapshot(path, status, `Kept when ${branch} was put aside`)
  return commit === null || commit === merged ? null : keepUnderRef(repository, keepAs, commit)
}

/** What git left when it was killed makes room; anything else may be somebody's work. */
async function makeRoom(repository: Repository, path: string): Promise<void> {
  if (isHalfMade(repository, path)) {
    const record = recordOf(repository, path)
    await removeFolder(path)
    await removeFolder(record)
  }
  if (existsSync(path)) throw new Problem('conflict', `there is something at ${path} already; it is left untouched`)
  mkdirSync(dirname(path), { recursive: true })
}

/** Git says so of a worktree until all its files are there. Taken for whole, the missing ones would count as deleted by its owner. */
function isHalfMade(repository: Repository, path: string): boolean {
  if (!existsSync(path)) return false
  if (readdirSync(path).length === 0) return true
  const lock = join(recordOf(repository, path), 'locked')
  return existsSync(lock) && readFileSync(lock, 'utf8').trim() === 'initializing'
}

/**
 * Where git keeps what it knows of a worktree: a folder that the worktree's own `.git` file names, else the one that names the
 * worktree. By name alone it could be another's: the worktrees of all jobs are called the same.
 */
function recordOf({ commonDir }: Repository, path: string): string {
  const records = join(commonDir, 'worktrees')
  const pointer = join(realpathSync.native(path), '.git')
  const named = resolve(
    textOf(pointer)
      .replace(/^gitdir: /, '')
      .trim(),
  )
  if (isInside(records, named) && named !== records) return named
  const usual = join(records, basename(path))
  if (textOf(join(usual, 'gitdir')) === '') return usual
  const all = readdirSync(records).map((name) => join(records, name))
  return all.find((record) => textOf(join(record, 'gitdir')).trim() === pointer) ?? join(records, `none of ${basename(path)}`)
}

/** Not the name of a task: theirs begin with a letter or a digit. */
const CHECKS = '.troupe-check-'

/** Checks a commit out into a folder that exists only while `work` runs; `parent` says where. */
export async function inThrowAway<Result>(
  repository: Repository,
  commit: string,
  work: (path: string) => Promise<Result>,
  parent = tmpdir(),
): Promise<Result> {
  const folder = await scratchFolder(parent, CHECKS)
  const path = join(folder, 'tree')
  try {
    await gitText(repository.root, ['worktree', 'add', '--quiet', '--detach', '--', path, commit])
    return await work(path)
  } finally {
    await git(repository.root, ['worktree', 'remove', '--force', '--force', '--', path])
    await removeFolder(folder)
    await git(repository.root, ['worktree', 'prune'])
  }
}

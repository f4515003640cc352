import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { placeAtTop, realOf } from '../sandbox/git/place.ts'
import { isInside } from '../sandbox/files/inside.ts'
import { readPlainText } from '../sandbox/files/plain-text.ts'
import { openUp, removeFolder } from '../sandbox/files/remove-folder.ts'
import type { CommandResult } from '../sandbox/sandbox.ts'
import { scratchFolder } from '../sandbox/files/scratch-folder.ts'
import { branchHead, checkBranchName, checkoutOf, keepUnderRef, refuseOption } from './branch.ts'
import { keepEverything } from './keep.ts'
import { isFullId, worktreeRecords } from './read-ref.ts'
import { commitOf, gitProblem, type Repository } from './repository.ts'
import { statusOf, type CheckoutStatus } from './status.ts'

/** A folder with a branch of its own checked out; the user's checkout is not affected. */
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
  const fresh = ['--no-track', '-b', branch, '--', path, base_commit]
  // Git makes the branch first, and refuses one that is there: one that is there after it met another git is its own.
  const added = await addWorktree(repository, path, fresh, async () =>
    (await branchHead(repository, branch)) === null ? fresh : ['--', path, branch],
  )
  if (added.exit_code === 0) return { path: realpathSync.native(path), branch, base_commit }
  await checkBranchName(repository, branch)
  throw gitProblem(repository.root, `git could not make a worktree at ${path}`, added)
}

/** Lays a worktree out again whose folder is gone and whose branch is still there. */
export async function restoreWorktree(repository: Repository, path: string, branch: string): Promise<void> {
  await checkBranchName(repository, branch)
  await makeRoom(repository, path)
  const last = ['--', path, branch]
  if ((await addWorktree(repository, path, last)).exit_code === 0) return
  await git(repository.root, ['worktree', 'prune']) // the branch may count as checked out in a folder that is gone, as after a move
  const added = await addWorktree(repository, path, last)
  if (added.exit_code !== 0) await refuseElsewhere(repository, { path, branch })
  if (added.exit_code !== 0) throw gitProblem(repository.root, `git could not lay out the worktree ${path} again`, added)
}

/** How git fails that meets the records of all worktrees while another git adds, removes or prunes one. */
const MET_ANOTHER = /failed to read .*commondir|could not create directory of .*worktrees|could not open .*worktrees.*locked/

const TRIES = 10

/** As git itself calls a worktree whose files are not all there yet. */
const HALF_MADE = 'initializing'

/**
 * First the record, then the files, by a git that is in the new worktree: settings can hold for one folder or branch only,
 * so that only there can git be asked which programs they name. Until its files are there it counts as half made.
 */
async function addWorktree(repository: Repository, path: string, first: string[], next = async () => first): Promise<CommandResult> {
  const add = (what: string[]) =>
    git(repository.root, ['worktree', 'add', '--quiet', '--no-checkout', '--lock', '--reason', HALF_MADE, ...what])
  let added = await add(first)
  for (let tried = 1; tried < TRIES && added.exit_code !== 0 && MET_ANOTHER.test(added.stderr); tried++) added = await add(await next())
  if (added.exit_code !== 0) return added
  const filled = await git(path, ['reset', '--quiet', '--hard', '--no-recurse-submodules'])
  if (filled.exit_code === 0) rmSync(join(recordOf(repository, path), 'locked'), { force: true })
  else await dropWorktree(repository, path)
  return filled
}

/** Removes a worktree, or what git still knows of one whose folder is gone. To prune would meet those that others just make. */
function dropWorktree({ root }: Repository, path: string): Promise<CommandResult> {
  return git(root, ['worktree', 'remove', '--force', '--force', '--', path])
}

/** Whether the folder is a worktree of this repository standing on that branch, laid out completely. */
export async function isWorktree(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>): Promise<boolean> {
  if (!isFolder(path) || isHalfMade(repository, path)) return false
  const found = await git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir', '--symbolic-full-name', 'HEAD'])
  const [commonDir, ref] = found.stdout.trim().split('\n')
  if (found.exit_code !== 0 || commonDir === undefined) return false
  return realpathSync.native(commonDir) === repository.commonDir && ref === `refs/heads/${branch}`
}

/** What is in a worktree of this repository that is on that branch; null where the folder is no such worktree. */
export async function worktreeStatus(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>) {
  const status = await statusAt(repository, path)
  return status?.branch === branch ? status : null
}

async function statusAt(repository: Repository, path: string): Promise<CheckoutStatus | null> {
  if (!isFolder(path) || isHalfMade(repository, path) || placeAtTop(path)?.commonDir !== repository.commonDir) return null
  return statusOf(path)
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
  const { head, kept } = await putAside(repository, worktree, keepAs, merged)
  // Only from where its work was kept: what somebody commits at the last moment stays.
  if (head !== null) await git(repository.root, ['update-ref', '-d', `refs/heads/${worktree.branch}`, head])
  return kept
}

/** Where the branch of a worktree stood, all that was in the worktree as a commit, and the ref that keeps it. */
interface PutAside {
  head: string | null
  work: string | null
  kept: string | null
  /** Files that were not committed, as far as git shows them. */
  files: string[]
}

/** The same but for the branch, which stays. */
export async function putAside(
  repository: Repository,
  worktree: Pick<Worktree, 'path' | 'branch'>,
  keepAs: string,
  merged: string | null = null,
): Promise<PutAside> {
  if (existsSync(worktree.path)) await openUp(worktree.path)
  const status = await statusAt(repository, worktree.path)
  const isOwn = status?.branch === worktree.branch
  if (!isOwn) await refuseElsewhere(repository, worktree)
  const head = isOwn ? status.head : await branchHead(repository, worktree.branch)
  const there = status === null ? null : await keepEverything(worktree.path, status, `Kept when ${worktree.branch} was put aside`, merged)
  // Where somebody checked something else out, they may have worked on it.
  if (!isOwn && there !== null) await keepUnderRef(repository, `${keepAs}-beside`, there)
  const work = isOwn ? there : head
  const kept = work === null || work === merged ? null : await keepUnderRef(repository, keepAs, work)
  if (isHalfMade(repository, worktree.path)) await makeRoom(repository, worktree.path)
  const dropped = await dropWorktree(repository, worktree.path)
  if (existsSync(worktree.path)) throw gitProblem(repository.root, `git could not remove the worktree ${worktree.path}`, dropped)
  return { head, work, kept, files: isOwn ? status.files : [] }
}

/** Git would keep the branch, and say at the next worktree only that it is there. */
async function refuseElsewhere(repository: Repository, { path, branch }: Pick<Worktree, 'path' | 'branch'>): Promise<void> {
  const holder = await checkoutOf(repository, branch)
  if (holder === null || holder === path || holder === (realOf(path) ?? path)) return
  throw new Problem(
    'conflict',
    `the branch ${branch} is checked out in ${holder}; check out another branch there so that it can be put aside`,
    { details: { in_the_way: holder } },
  )
}

/** Whether a person's work stands in the way of this one worktree; others may still be made. */
export function isInTheWay(error: unknown): error is Problem {
  return error instanceof Problem && error.details['in_the_way'] !== undefined
}

/** What git left when it was killed makes room; anything else may be somebody's work. */
async function makeRoom(repository: Repository, path: string): Promise<void> {
  if (isHalfMade(repository, path)) {
    const record = recordOf(repository, path)
    await removeFolder(path)
    await removeFolder(record)
  }
  if (existsSync(path))
    throw new Problem('conflict', `there is something at ${path} already; it is left untouched`, { details: { in_the_way: path } })
  mkdirSync(dirname(path), { recursive: true })
  if (recordNaming(repository.commonDir, path) !== undefined) await dropWorktree(repository, path) // its folder is gone, and git still knows it
}

/** A file may stand where a worktree should. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Git says so of a worktree until all its files are there. Taken for whole, the missing ones would count as deleted by its owner. */
function isHalfMade(repository: Repository, path: string): boolean {
  if (!isFolder(path)) return false
  if (readdirSync(path).length === 0) return true
  return readPlainText(join(recordOf(repository, path), 'locked')).trim() === HALF_MADE
}

/**
 * Where git keeps what it knows of a worktree: a folder that the worktree's own `.git` file names, else the one that names the
 * worktree. By name alone it could be another's: the worktrees of all jobs are called the same.
 */
function recordOf({ commonDir }: Repository, path: string): string {
  const records = join(commonDir, 'worktrees')
  const pointer = join(realpathSync.native(path), '.git')
  const named = resolve(
    readPlainText(pointer)
      .replace(/^gitdir: /, '')
      .trim(),
  )
  if (isInside(records, named) && named !== records) return named
  const usual = join(records, basename(path))
  if (readPlainText(join(usual, 'gitdir')) === '') return usual
  return recordNaming(commonDir, path) ?? join(records, `none of ${basename(path)}`)
}

/** Git calls it as the folder is called, with a number behind it where that name is taken. */
function recordNaming(commonDir: string, path: string): string | undefined {
  const name = basename(path)
  const pointer = join(realpathSync.native(dirname(path)), name, '.git')
  const called = worktreeRecords(commonDir).filter((record) => basename(record).startsWith(name))
  return called.find((record) => readPlainText(join(record, 'gitdir')).trim() === pointer)
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
    const added = await addWorktree(repository, path, ['--detach', '--', path, commit])
    if (added.exit_code !== 0) throw gitProblem(repository.root, `git could not check ${commit} out`, added)
    return await work(path)
  } finally {
    const dropped = await dropWorktree(repository, path)
    await removeFolder(folder)
    if (dropped.exit_code !== 0) await dropWorktree(repository, path) // a folder closed to git is gone by now
  }
}

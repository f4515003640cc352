import { lstatSync } from 'node:fs'
import { Problem } from '../domain/problem.ts'
import { git } from '../sandbox/git/git.ts'
import { readPlainText } from '../sandbox/files/plain-text.ts'
import { isFullId, readRef, worktreeRecords } from './read-ref.ts'
import { findCommit, gitProblem, gitText, type Repository } from './repository.ts'

/** What git takes for "there is no such ref yet". */
const NOTHING = '0'.repeat(40)

/** Refuses a branch name that git would refuse, or that could be taken for an option. */
export async function checkBranchName(repository: Repository, branch: string): Promise<void> {
  refuseOption(branch)
  const checked = await git(repository.root, ['check-ref-format', `refs/heads/${branch}`])
  if (checked.exit_code !== 0) throw badName(branch)
}

/** Refuses a name that git could take for an option. Every other bad name git refuses by itself, and can be asked about afterwards. */
export function refuseOption(branch: string): void {
  if (branch.startsWith('-')) throw badName(branch)
}

function badName(branch: string): Problem {
  return new Problem('bad_input', `${JSON.stringify(branch)} is not a branch name git accepts`)
}

/** The commit a branch is at, or null when there is no such branch. */
export async function branchHead({ root, commonDir }: Repository, branch: string): Promise<string | null> {
  const ref = `refs/heads/${branch}`
  const read = readRef(commonDir, ref)
  return read === undefined ? findCommit(root, ref) : read
}

/**
 * Moves a branch only if it still stands where the caller saw it (null: only if it does not exist).
 * A branch that someone has checked out is left alone: their files and index would silently stop matching it.
 */
export async function moveBranch(repository: Repository, branch: string, from: string | null, to: string): Promise<'moved' | 'lost_race'> {
  refuseOption(branch)
  const holder = await checkoutOf(repository, branch)
  if (holder !== null) {
    throw new Problem(
      'conflict',
      `the branch ${branch} is checked out in ${holder}; check out another branch there so that it can be moved`,
    )
  }
  const moved = await git(repository.root, ['update-ref', `refs/heads/${branch}`, to, from ?? NOTHING])
  if (moved.exit_code === 0) return 'moved'
  await checkBranchName(repository, branch)
  if ((await branchHead(repository, branch)) !== from) return 'lost_race'
  throw gitProblem(repository.root, `git could not move the branch ${branch}`, moved)
}

/** The folder in which a branch is checked out, or null. */
export async function checkoutOf(repository: Repository, branch: string): Promise<string | null> {
  if (!mayBeCheckedOut(repository, branch)) return null
  const listed = await gitText(repository.root, ['worktree', 'list', '--porcelain'])
  const holder = listed.split('\n\n').find((block) => block.split('\n').includes(`branch refs/heads/${branch}`))
  return holder?.split('\n')[0]?.slice('worktree '.length) ?? null
}

/** By the `HEAD` of each checkout: most often none names the branch, and to ask git takes a hundred times as long. */
function mayBeCheckedOut({ commonDir }: Repository, branch: string): boolean {
  return [commonDir, ...worktreeRecords(commonDir)].some((place) => {
    const file = `${place}/HEAD`
    const head = readPlainText(file).trim()
    if (/^ref: refs\/heads\/[^.]/.test(head)) return head === `ref: refs/heads/${branch}`
    // Written as a link, as git once did, its text is that of the branch.
    return !isFullId(head) || lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
  })
}

/** Keeps a commit for ever under a name of ours, outside the user's branches and tags; what another try kept under it stays. */
export async function keepUnderRef(repository: Repository, name: string, commit: string): Promise<string> {
  for (let number = 1; ; number++) {
    const ref = ownRef(number === 1 ? name : `${name}-${number}`)
    const kept = await git(repository.root, ['update-ref', ref, commit, NOTHING])
    if (kept.exit_code === 0) return ref
    const there = await findCommit(repository.root, ref)
    if (there === commit) return ref
    if (there === null) throw gitProblem(repository.root, `git could not keep ${commit} as ${ref}`, kept)
  }
}

/** The ref of that name among ours. */
export function ownRef(name: string): string {
  return `refs/troupe/${name}`
}

import type { BoardConfig } from '../../domain/board/board.ts'
import { git } from '../../sandbox/git/git.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { fetchBranch } from '../../worktrees/remote.ts'
import { findCommit, gitText, type Repository } from '../../worktrees/repository.ts'

type Branches = Pick<BoardConfig, 'remote' | 'integration_branch' | 'base_branch'>

/** The branch a checkout is on, unless that is the integration branch itself; null when it is on none. */
export async function branchAt({ root }: Repository, { integration_branch }: Pick<BoardConfig, 'integration_branch'>) {
  const found = await git(root, ['symbolic-ref', '--quiet', '--short', 'HEAD'])
  const branch = found.stdout.trim()
  return found.exit_code !== 0 || branch === integration_branch ? null : branch
}

/** Where the base branch stands: with a remote that is there, so that every machine takes in the same. Null when there is none. */
export async function baseHead(repository: Repository, { remote, base_branch }: Branches): Promise<string | null> {
  if (base_branch === null) return null
  return remote === null ? branchHead(repository, base_branch) : fetchBranch(repository, remote, base_branch)
}

/** How the integration branch and the branch it came from differ. */
export interface BaseDistance {
  base_branch: string
  /** Commits of the base branch that the integration branch lacks. */
  behind: number
  /** Commits of the integration branch that the base branch lacks. */
  ahead: number
}

/** The same as this clone last saw it: a look asks no other machine. Null where one of the two is not there. */
export async function baseDistance(repository: Repository, { remote, integration_branch, base_branch }: Branches) {
  if (base_branch === null) return null
  const head = await branchHead(repository, integration_branch)
  const base = await (remote === null
    ? branchHead(repository, base_branch)
    : findCommit(repository.root, `refs/remotes/${remote}/${base_branch}`))
  return head === null || base === null ? null : distanceOf(repository, base_branch, head, base)
}

/** How far two commits are apart. */
export async function distanceOf({ root }: Repository, base_branch: string, head: string, base: string): Promise<BaseDistance> {
  const counted = await gitText(root, ['rev-list', '--left-right', '--count', `${head}...${base}`])
  const [ahead = 0, behind = 0] = counted.split('\t').map(Number)
  return { base_branch, behind, ahead }
}

/** In one sentence; empty where nothing is missing. */
export function behindText({ integration_branch }: Pick<BoardConfig, 'integration_branch'>, distance: BaseDistance | null): string {
  if (distance === null || distance.behind === 0) return ''
  const { behind, base_branch } = distance
  return `${integration_branch} is ${behind === 1 ? '1 commit' : `${behind} commits`} behind ${base_branch}`
}

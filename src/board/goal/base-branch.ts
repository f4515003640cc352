import * as z from 'zod'
import type { BoardConfig } from '../../domain/board/board.ts'
import { counted } from '../../domain/text/format.ts'
import { git } from '../../sandbox/git/git.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { fetchBranch } from '../../worktrees/remote.ts'
import { findCommit, gitText, type Repository } from '../../worktrees/repository.ts'
import type { RecordsContext } from '../context.ts'
import { boardOf, repositoryHere } from '../find.ts'

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
export type BaseDistance = z.infer<typeof BaseDistance>
export const BaseDistance = z.object({
  base_branch: z.string(),
  integration_branch: z.string(),
  /** Commits of the base branch that the integration branch lacks. */
  behind: z.int(),
  /** Commits of the integration branch that the base branch lacks. */
  ahead: z.int(),
})

/** The same for a board; on a machine without the repository nobody can tell. */
export async function distanceHere(context: RecordsContext): Promise<BaseDistance | null> {
  const repository = repositoryHere(context)
  return repository === null ? null : baseDistance(repository, (await boardOf(context)).config)
}

/** The same as this clone last saw it: a look asks no other machine. Null where one of the two is not there. */
export async function baseDistance(repository: Repository, { remote, integration_branch, base_branch }: Branches) {
  if (base_branch === null) return null
  const head = await branchHead(repository, integration_branch)
  const base = await (remote === null
    ? branchHead(repository, base_branch)
    : findCommit(repository.root, `refs/remotes/${remote}/${base_branch}`))
  return head === null || base === null ? null : distanceOf(repository, { base_branch, integration_branch }, head, base)
}

/** How far two commits are apart. */
export async function distanceOf(
  { root }: Repository,
  branches: Pick<BaseDistance, 'base_branch' | 'integration_branch'>,
  head: string,
  base: string,
): Promise<BaseDistance> {
  const found = await gitText(root, ['rev-list', '--left-right', '--count', `${head}...${base}`])
  const [ahead = 0, behind = 0] = found.split('\t').map(Number)
  return { ...branches, behind, ahead }
}

/** In one sentence; empty where nothing is missing. */
export function behindText(distance: BaseDistance | null): string {
  if (distance === null || distance.behind === 0) return ''
  const { behind, base_branch, integration_branch } = distance
  return `${integration_branch} is ${counted(behind, 'commit')} behind ${base_branch}`
}

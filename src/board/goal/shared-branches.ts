import { join } from 'node:path'
import type { BoardConfig } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import { worktreeOf, type TaskEntry } from '../../domain/board/task.ts'
import { branchHead, moveBranch } from '../../worktrees/branch.ts'
import { fetchBranch, pushBranch } from '../../worktrees/remote.ts'
import { isAncestor, type Repository } from '../../worktrees/repository.ts'
import { createWorktree, removeWorktree } from '../../worktrees/worktree.ts'
import type { BoardWorkspace, BoardRepository } from '../context.ts'
import { inOwnFolder } from '../worktree/own-files.ts'

type Branches = Pick<BoardConfig, 'remote' | 'integration_branch'>

/** The integration branch as it is now. With a remote the truth is there, and the branch of this clone follows it. */
export async function integrationHead(repository: Repository, { remote, integration_branch }: Branches): Promise<string | null> {
  const here = await branchHead(repository, integration_branch)
  if (remote === null) return here
  const there = await fetchBranch(repository, remote, integration_branch)
  if (there === null || there === here) return here
  if (here !== null && (await isAncestor(repository.root, there, here))) return here // a person's commits that go along with the next merge
  if (here !== null && !(await isAncestor(repository.root, here, there))) {
    throw new Problem(
      'conflict',
      `${integration_branch} here and at ${remote} have gone different ways; merge the two, so that the next merge knows where to go`,
    )
  }
  await moveBranch(repository, integration_branch, here, there) // a race that is lost here was won by another process with the same news
  return there
}

/** Somebody has taken the integration branch away; where it should stand only a person can say. */
export function noIntegration({ integration_branch }: Branches): Problem {
  return new Problem(
    'conflict',
    `there is no branch ${integration_branch} any more; create it where the work should continue: git branch ${integration_branch} COMMIT`,
  )
}

/** Moves the integration branch from where a merge began: at the remote first, where others may be faster, and then here. */
export async function moveIntegration(
  repository: Repository,
  { remote, integration_branch }: Branches,
  from: string | null,
  to: string,
): Promise<'moved' | 'lost_race'> {
  if (remote === null) return moveBranch(repository, integration_branch, from, to)
  const there = await fetchBranch(repository, remote, integration_branch)
  if (there !== null && !(await isAncestor(repository.root, there, to))) return 'lost_race'
  if ((await pushBranch(repository, remote, integration_branch, there, to)) === 'lost_race') return 'lost_race'
  if ((await branchHead(repository, integration_branch)) !== to) await moveBranch(repository, integration_branch, from, to)
  return 'moved'
}

/**
 * Puts the work on a task where other machines find it. Whoever holds the task is the only one to do so. What stood there and
 * is not in it, an earlier coder's work or a past that was rewritten, is kept there under a ref.
 */
export async function shareWork(
  { repository, board_id }: BoardWorkspace,
  { remote }: Branches,
  task: Pick<TaskEntry, 'id'>,
): Promise<void> {
  if (remote === null) return
  const { branch } = worktreeOf(task.id)
  const here = await branchHead(repository, branch)
  if (here === null) return
  const there = await fetchBranch(repository, remote, branch)
  if (there === here) return
  const replaced = there !== null && !(await isAncestor(repository.root, there, here))
  const keepAs = replaced ? `${board_id}/${task.id}/${there}` : null
  if ((await pushBranch(repository, remote, branch, there, here, keepAs)) === 'moved') return
  throw new Problem('conflict', `somebody else has moved ${branch} at ${remote}; look at it before you hand over`)
}

/**
 * Lays out the work on a task as its last holder shared it, where this machine has none or an older one. What is here
 * and not in it is put aside under a ref.
 */
export async function bringWork(
  { repository, board_id }: BoardWorkspace,
  { remote }: Branches,
  task: Pick<TaskEntry, 'id'>,
): Promise<void> {
  if (remote === null) return
  const { worktree, branch } = worktreeOf(task.id)
  const path = join(repository.root, worktree)
  const there = await fetchBranch(repository, remote, branch)
  const here = await branchHead(repository, branch)
  if (there === null || (here !== null && (await isAncestor(repository.root, there, here)))) return
  await inOwnFolder(repository.root, 'worktrees', async () => undefined) // a link there is refused
  await removeWorktree(repository, { path, branch }, `${board_id}/${task.id}/${Date.now()}`)
  await createWorktree(repository, path, branch, there)
}

/**
 * Takes the branch of a closed task away from the remote. One that holds more than was merged is left alone; that of a task
 * that was not merged is kept there under a ref.
 */
export async function retireShared(
  { repository, board_id }: BoardRepository,
  { remote }: Branches,
  task: Pick<TaskEntry, 'id'>,
  merged: string | null,
): Promise<void> {
  if (remote === null) return
  const { branch } = worktreeOf(task.id)
  const there = await fetchBranch(repository, remote, branch)
  if (there === null) return
  if (merged !== null && !(await isAncestor(repository.root, there, merged))) {
    throw new Problem('conflict', `${branch} at ${remote} is at ${there}, but ${merged} was merged; what is new there is left alone`)
  }
  const keepAs = merged === null ? `${board_id}/${task.id}/${there}` : null
  if ((await pushBranch(repository, remote, branch, there, null, keepAs)) === 'moved') return
  throw new Problem('conflict', `somebody has moved ${branch} at ${remote} after ${task.id} was closed; it is left alone`)
}

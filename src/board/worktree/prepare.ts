import { lastEvent, type TakenOver } from '../../domain/board/event.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BoardConfig } from '../../domain/board/board.ts'
import { messageOf, Problem } from '../../domain/problem.ts'
import { worktreeOf, type Task, type TaskEntry, type TaskClaim, type TaskGit } from '../../domain/board/task.ts'
import { boards } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { findCommit, type Repository } from '../../worktrees/repository.ts'
import { createWorktree, isWorktree, removeWorktree, restoreWorktree } from '../../worktrees/worktree.ts'
import type { BoardWorkspace, Identity } from '../context.ts'
import { leaseFrom } from '../../domain/lease.ts'
import { refuseOtherHolder, changeTask, tellTask } from '../task/move.ts'
import { inOwnFolder } from './own-files.ts'
import { releaseClaim } from '../task/release.ts'
import { bringWork, integrationHead, shareWork } from '../goal/shared-branches.ts'
import { actOn } from '../agent/known-actor.ts'
import { keptName, startsAnew, takeOverWork } from '../task/take-over.ts'
import { boardOf } from '../find.ts'

/**
 * Makes sure that whoever claimed a task has its worktree. Only the holder of the claim may call it, so nobody who lost a
 * claim ever touches the winner's files. When the worktree cannot be made, the claim is given back;
 * one that is `fresh`, so that nobody could begin, does not count as an iteration.
 */
export async function prepareWorktree(board: BoardWorkspace, identity: Identity, task: Task, fresh = false): Promise<Task> {
  if (board.dry === true) return task
  try {
    const { config } = await boardOf(board)
    await inOwnFolder(board.repository.root, 'worktrees', async () => undefined) // a link there is refused
    if (task.worktree_by !== identity.agent) return await makeFresh(board, identity, config, task)
    await bringWork(board, config, task)
    await keepOwn(board, task)
    return task.preparing ? await settle(board, identity, task.id, { preparing: false }) : task
  } catch (error) {
    const reason = `its worktree could not be made: ${messageOf(error)}`
    const unbegun = fresh || task.worktree_by !== identity.agent
    await releaseClaim(board, identity, task.id, { reason, unbegun }).catch(() => undefined) // the claim may be another's by now; the first error is the one to tell
    throw error
  }
}

/** The coder goes on where it stopped; a folder that vanished is laid out again from the branch. */
async function keepOwn({ repository }: BoardWorkspace, task: TaskEntry & TaskGit): Promise<void> {
  const { path, branch } = placeOf(repository.root, task)
  if (await isWorktree(repository, { path, branch })) return
  if ((await branchHead(repository, branch)) !== null) return restoreWorktree(repository, path, branch)
  await createWorktree(repository, path, branch, await lastWork(repository, task))
}

/** Somebody has deleted the branch: what was submitted last is still there, and else it begins again. */
async function lastWork({ root }: Repository, task: TaskEntry & TaskGit): Promise<string> {
  const submitted = lastEvent(task.history, 'submitted_for_review')?.commit
  const found = typeof submitted === 'string' ? await findCommit(root, submitted) : null
  return found ?? need(task.base_commit, task)
}

/** A coder that goes on where another stopped finds its work; what was left is also kept under a ref, and never deleted. */
async function makeFresh(board: BoardWorkspace, identity: Identity, config: BoardConfig, task: Task): Promise<Task> {
  const place = placeOf(board.repository.root, task)
  const worktree_by = identity.agent
  // A full lease from here on: nobody can take the task over, and lay out a worktree of its own, while this one is removed.
  if (await isLeft(board, place)) await settle(board, identity, task.id, {})
  const found = startsAnew(task) ? null : await takeOverWork(board, identity, config, task, place)
  const { base_commit, taken } = found ?? (await startOver(board, config, task, place))
  await shareWork(board, config, task) // what an earlier coder shared must not come back in its place
  return settle(board, identity, task.id, { worktree_by, base_commit, preparing: false }, taken)
}

async function isLeft({ repository }: BoardWorkspace, { path, branch }: ReturnType<typeof placeOf>): Promise<boolean> {
  return (await branchHead(repository, branch)) !== null || (await isWorktree(repository, { path, branch }))
}

/** From the integration branch as it is now, with nothing of what an earlier coder left. */
async function startOver(board: BoardWorkspace, config: BoardConfig, task: Task, { path, branch }: ReturnType<typeof placeOf>) {
  const { repository, board_id } = board
  const isThere = await isLeft(board, { path, branch })
  const head = await branchHead(repository, branch)
  const ref = isThere ? await removeWorktree(repository, { path, branch }, keptName(board_id, task.id)) : null
  // Read again after the claim: what a dependency brought may have been merged between the first look and the claim.
  const merged = task.depends_on.length === 0 ? null : await integrationHead(repository, config)
  const base_commit = merged ?? need(task.base_commit, task)
  await createWorktree(repository, path, branch, base_commit)
  if (ref === null || head === null) return { base_commit, taken: null }
  const commit = (await findCommit(repository.root, ref)) ?? head
  return { base_commit, taken: { from: task.worktree_by, ref, commit, commits: 0, uncommitted: 'kept', conflicts: [] } satisfies TakenOver }
}

/** Writes to a task that is still ours, and prolongs the claim; refused when it is ours no more. */
async function settle(
  board: BoardWorkspace,
  identity: Identity,
  taskId: string,
  changes: Partial<TaskClaim & TaskGit>,
  taken: TakenOver | null = null,
): Promise<Task> {
  return actOn(board, identity, taskId, async (tx, who, was) => {
    refuseOtherHolder(was.item, who)
    const { config } = (await boards.get(tx, board.board_id)).item
    const now = await tx.now()
    const settled = { ...changes, lease_expires: leaseFrom(now, config.lease_duration) }
    if (taken === null) return (await changeTask(tx, was, settled)).item
    return (await tellTask(tx, was, { by: who, event: 'work_taken_over', about: { ...taken }, now }, settled)).item
  })
}

/** Whether the folder of a claimed task is there; cheap enough to ask at every heartbeat. */
export function worktreeIsThere({ repository }: BoardWorkspace, task: TaskEntry & TaskClaim & TaskGit): boolean {
  return !task.preparing && task.worktree_by === task.assigned_to && existsSync(placeOf(repository.root, task).path)
}

/** Where the work on a task is on this machine. */
export function placeOf(root: string, { id }: Pick<TaskEntry, 'id'>): { path: string; branch: string } {
  const { worktree, branch } = worktreeOf(id)
  return { path: join(root, worktree), branch }
}

function need(base: string | null, { id }: TaskEntry): string {
  if (base === null) throw new Problem('internal', `${id} was claimed without a base commit`)
  return base
}

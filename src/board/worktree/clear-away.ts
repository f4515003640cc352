import { existsSync } from 'node:fs'
import { boardKey } from '../../domain/board/board.ts'
import { finalStates } from '../../domain/board/task-flow.ts'
import { type Task, type TaskEntry, worktreeOf } from '../../domain/board/task.ts'
import { asProblem } from '../../domain/problem.ts'
import { boards, tasks } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { branchesAt } from '../../worktrees/remote.ts'
import { gitText } from '../../worktrees/repository.ts'
import { removeWorktree } from '../../worktrees/worktree.ts'
import { logActivity } from '../activity.ts'
import type { BoardRepository } from '../context.ts'
import { boardOf, findBoard } from '../find.ts'
import { retireShared } from '../goal/shared-branches.ts'
import { placeOf } from './prepare.ts'

/** Clears away after a task that was just closed. The task stays closed whatever fails; what is left behind is said, and the next sweep tries again. */
export async function clearAwayAndSay(board: BoardRepository, task: Task): Promise<Task> {
  for (const detail of board.dry === true ? [] : await clearAway(board, task)) {
    await logActivity(board, { agent: 'supervisor', action: 'left_behind', task: task.id, detail })
  }
  return task
}

/** Takes the branch of a closed task away, here with its worktree and at the remote. What was not merged is kept under a ref. Tells what could not be done. */
export async function clearAway(board: BoardRepository, task: Task): Promise<string[]> {
  if (task.base_commit === null) return [] // never claimed: a branch of that name is not the board's
  const merged = task.status === 'MERGED' ? task.review_commit : null
  const { config } = await boardOf(board)
  const there = await failureOf(() => retireShared(board, config, task, merged))
  const here = await failureOf(() => clearHere(board, task, merged))
  return [there, here].filter((failure) => failure !== null)
}

async function clearHere({ repository, board_id }: BoardRepository, task: TaskEntry, merged: string | null): Promise<void> {
  const place = placeOf(repository.root, task)
  const isLeft = async () => existsSync(place.path) || (await branchHead(repository, place.branch)) !== null
  if (!(await isLeft())) return
  try {
    await removeWorktree(repository, place, `${board_id}/${task.id}/closed`, merged)
  } catch (error) {
    if (await isLeft()) throw error // else a sweep was faster
  }
}

async function failureOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return asProblem(error).message
  }
}

/**
 * Clears away what a process left that died between closing a task and removing its worktree, and what a remote kept while it
 * was away. The work itself is kept under a ref.
 */
export async function sweepWorktrees(board: BoardRepository): Promise<void> {
  const { driver, board_id, repository } = board
  if ((await findBoard(driver, repository.root))?.id !== board_id) return // the branches are those of the next goal by now
  const ids = [...new Set(await taskBranches(board))].map((id) => boardKey({ board_id, id }))
  if (ids.length === 0) return
  for (const task of await tasks.items(driver, { where: { id: ids, status: finalStates } })) {
    await clearAway(board, task) // whoever closed it said what stands in the way; until that is gone every sweep tries again
  }
}

/** The ids in the names of all task branches, here and at the remote. */
async function taskBranches({ driver, board_id, repository }: BoardRepository): Promise<string[]> {
  const { remote } = (await boards.get(driver, board_id)).item.config
  const { branch: prefix } = worktreeOf('')
  const here = await gitText(repository.root, ['for-each-ref', '--format=%(refname)', `refs/heads/${prefix}`])
  const ids = here.split('\n').flatMap((ref) => (ref === '' ? [] : ref.slice(`refs/heads/${prefix}`.length)))
  const there = remote === null ? [] : await branchesAt(repository, remote, prefix).catch(() => []) // a remote that is away keeps nobody from clearing up here
  return [...ids, ...there]
}

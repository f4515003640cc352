import { existsSync } from 'node:fs'
import { asProblem } from '../../domain/problem.ts'
import type { Task, TaskEntry } from '../../domain/board/task.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { removeWorktree } from '../../worktrees/worktree.ts'
import { logActivity } from '../activity.ts'
import type { BoardRepository } from '../desk.ts'
import { placeOf } from './prepare.ts'
import { retireShared } from '../goal/shared-branches.ts'
import { boardOf } from '../find.ts'

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

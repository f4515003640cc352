import { basename, join, resolve } from 'node:path'
import { boardKey, type Board } from '../domain/board/board.ts'
import { type Task, worktreeOf } from '../domain/board/task.ts'
import { Problem } from '../domain/problem.ts'
import { closest } from '../domain/text/closest.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { boards, tasks } from '../store/tables.ts'
import { remoteUrl } from '../worktrees/remote.ts'
import { type Repository, openRepository } from '../worktrees/repository.ts'
import type { RecordsContext, BoardRef } from './context.ts'

/** The board of a project: the newest one, should there have been several. */
export async function findBoard(driver: Driver, root: string): Promise<Board | null> {
  const [newest] = await boards.items(driver, { where: { root }, order: ['-id'], limit: 1 })
  return newest ?? sharedBoard(driver, root)
}

/** The board that was made in another clone, wherever that is: both have the same remote. */
async function sharedBoard(driver: Driver, root: string): Promise<Board | null> {
  for (const board of await boards.items(driver, { order: ['-id'] })) {
    const { remote_url, config } = board
    if (remote_url !== null && config.remote !== null && (await remoteUrl(root, config.remote)) === remote_url) return board
  }
  return null
}

/** What there is to do where there is no goal, or it is over; tasks are judged by a spec, so a goal names one. */
export const beginGoalStep = { operation: 'board.init', input: { goal: 'GOAL', spec_ref: 'SPEC_FILE' } } as const

/** The board of a project, or a refusal that says how to make one. */
export async function needBoard(driver: Driver, root: string): Promise<Board> {
  const board = await findBoard(driver, root)
  if (board !== null) return board
  throw new Problem('not_found', `there is no board for ${root}`, { next: [beginGoalStep] })
}

/** The board that somebody is at, as it is now. */
export async function boardOf({ driver, board_id }: BoardRef): Promise<Board> {
  return (await boards.get(driver, board_id)).item
}

/** The repository of a board, where it is on this machine: elsewhere asking for it is refused. */
export function repositoryHere(context: RecordsContext): Repository | null {
  try {
    return context.repository ?? null
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** The task of that id on a board, or a refusal that names the one that was probably meant. */
export async function needTask(driver: Driver, boardId: string, id: string): Promise<Stored<Task>> {
  const found = await tasks.find(driver, boardKey({ board_id: boardId, id }))
  if (found !== null) return found
  const known = await tasks.items(driver, { where: { board_id: boardId }, order: ['-number'], limit: 500 })
  const ids = known.map((task) => task.id)
  const meant = closest(id, ids)
  const hint = meant === null ? '' : `; did you mean ${meant}?`
  const next = meant === null ? [{ operation: 'board.list_tasks' }] : []
  throw new Problem('not_found', `there is no task ${JSON.stringify(id)} on this board${hint}`, { details: { task: id }, next })
}

/** The repository whose board is meant in a folder. */
export async function openProject(folder: string): Promise<Repository> {
  return projectOfTask(await openRepository(folder))
}

/** The project that a worktree of a task belongs to; any other repository is its own. */
export async function projectOfTask(repository: Repository): Promise<Repository> {
  const { root, commonDir } = repository
  const top = resolve(root, '../../..')
  if (root !== join(top, worktreeOf(basename(root)).worktree)) return repository
  const around = await openRepository(top).catch(() => null) // a repository that is merely in such a place
  return around?.commonDir === commonDir ? around : repository
}

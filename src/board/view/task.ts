import { byTime, type BoardRecord } from '../../domain/board/record.ts'
import { boardKey } from '../../domain/board/board.ts'
import type { Task, TaskLink, TaskEntry, TaskPlan } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, tasks } from '../../store/tables.ts'
import { titleOf } from './cards.ts'

/** The most records and lines anybody reads at once. */
const AT_MOST = 500

/** The ids of records begin with their kind, so that they do not tell which of two kinds is older. */
export async function newestRecords(driver: Driver, where: { board_id: string; kind?: string; task?: string }): Promise<BoardRecord[]> {
  const found = await boardRecords.items(driver, { where, order: ['-id'], limit: AT_MOST })
  return found.toSorted((one, other) => byTime(other, one))
}

/** Tasks as others name them. */
export async function links(driver: Driver, boardId: string, ids: readonly string[]) {
  return (await tasksOf(driver, boardId, ids)).map(linkOf)
}

/** A task as others name it. */
export function linkOf(task: TaskEntry & TaskPlan): TaskLink {
  return { id: task.id, title: titleOf(task), status: task.status }
}

/** Tasks of a board by their ids, in the order in which they were added. */
export async function tasksOf(driver: Driver, boardId: string, ids: readonly string[]): Promise<Task[]> {
  if (ids.length === 0) return []
  const where = { id: ids.map((id) => boardKey({ board_id: boardId, id })) }
  return await tasks.items(driver, { where, order: ['number'] })
}

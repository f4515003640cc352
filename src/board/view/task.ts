import { byTime, type BoardRecord } from '../../domain/board/record.ts'
import { boardKey } from '../../domain/board/board.ts'
import { movesFrom } from '../../domain/flow.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import type { Task, TaskLink } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords, boards, tasks } from '../../store/tables.ts'
import { type ActivityLine, readActivity } from '../activity.ts'
import { needTask } from '../find.ts'
import { titleOf } from './board.ts'

/** The most records and lines anybody reads at once. */
const AT_MOST = 500
const LINES_LOOKED_AT = 20_000
const GRAPH_TASKS = 150

/** Who waits for whom: everything that is not over, with what it waits for; or what surrounds one task. */
export async function viewGraph(driver: Driver, boardId: string, around?: string) {
  await boards.get(driver, boardId)
  if (around !== undefined) {
    const { item } = await needTask(driver, boardId, around)
    const near = [...new Set([item.id, ...item.depends_on, ...item.dependents])].slice(0, GRAPH_TASKS)
    return graphOf(await tasksOf(driver, boardId, near), 0)
  }
  const where = { board_id: boardId, status: taskFlow.states.filter((state) => movesFrom(taskFlow, state).length > 0) }
  const open = await tasks.items(driver, { where, order: ['number'], limit: GRAPH_TASKS })
  const shown = new Set(open.map(({ id }) => id))
  const awaited = [...new Set(open.flatMap(({ depends_on }) => depends_on))].filter((id) => !shown.has(id)).slice(0, GRAPH_TASKS)
  return graphOf([...(await tasksOf(driver, boardId, awaited)), ...open], (await tasks.count(driver, where)) - open.length)
}

/** What was written down about a board, newest first. */
export async function listRecords(driver: Driver, boardId: string, kind: BoardRecord['kind']): Promise<BoardRecord[]> {
  await boards.get(driver, boardId)
  return newestRecords(driver, { board_id: boardId, kind })
}

/** The ids of records begin with their kind, so that they do not tell which of two kinds is older. */
export async function newestRecords(driver: Driver, where: { board_id: string; kind?: string; task?: string }): Promise<BoardRecord[]> {
  const found = await boardRecords.items(driver, { where, order: ['-id'], limit: AT_MOST })
  return found.toSorted((one, other) => byTime(other, one))
}

/** The newest lines of the activity log, newest first; of one task, as far back as is looked. */
export async function listActivity(driver: Driver, boardId: string, limit: number, task?: string): Promise<ActivityLine[]> {
  await boards.get(driver, boardId)
  const lines = await readActivity(driver, boardId, { limit: task === undefined ? limit : LINES_LOOKED_AT })
  return lines
    .filter((line) => task === undefined || line.task === task)
    .slice(-limit)
    .toReversed()
}

/** Tasks as others name them. */
export async function links(driver: Driver, boardId: string, ids: readonly string[]) {
  return (await tasksOf(driver, boardId, ids)).map(linkOf)
}

/** A task as others name it. */
function linkOf(task: Task): TaskLink {
  return { id: task.id, title: titleOf(task), status: task.status }
}

async function tasksOf(driver: Driver, boardId: string, ids: readonly string[]): Promise<Task[]> {
  if (ids.length === 0) return []
  const where = { id: ids.map((id) => boardKey({ board_id: boardId, id })) }
  return await tasks.items(driver, { where, order: ['number'] })
}

function graphOf(shown: readonly Task[], left_out: number) {
  const ids = new Set(shown.map(({ id }) => id))
  return { tasks: shown.map((task) => ({ ...linkOf(task), depends_on: task.depends_on.filter((id) => ids.has(id)) })), left_out }
}

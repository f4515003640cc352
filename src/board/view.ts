import type { BoardAgent } from '../domain/board-agent.ts'
import type { Board } from '../domain/board.ts'
import { isFinal } from '../domain/flow.ts'
import { shorten } from '../domain/shorten.ts'
import { taskFlow, type TaskState } from '../domain/task-flow.ts'
import type { Task } from '../domain/task.ts'
import type { Driver } from '../store/driver.ts'
import { boardAgents, boards, entries, runs, tasks } from '../store/tables.ts'
import { type ActivityLine, readActivity } from './activity.ts'
import { countWaiting } from './approve-plan.ts'
import { costOf, PLANNING, runsOf, threadsOf } from './runs-of.ts'

/** How many cards of a state are shown before somebody asks for more. */
const FIRST_CARDS = 20
const TITLE_CHARS = 160
const LINES_LOOKED_AT = 300

export interface Card extends Task {
  title: string
  changed_at: string
  cost_microusd: number | null
}

export interface Column {
  status: TaskState
  count: number
  cards: Card[]
}

/** A board as it stands. What it costs to look does not grow with the number of finished tasks. */
export async function viewBoard(driver: Driver, boardId: string) {
  const { item: board } = await boards.get(driver, boardId)
  const columns: Column[] = []
  for (const status of taskFlow.states) columns.push(await viewColumn(driver, boardId, status, FIRST_CARDS))
  return {
    ...board,
    columns,
    agents: await viewAgents(driver, boardId),
    waiting_for_approval: await countWaiting({ driver, board_id: boardId }),
    now: (await driver.now()).toISOString(),
  }
}

/** The cards of one state: what comes next first, of what is over the newest first. */
export async function viewColumn(driver: Driver, boardId: string, status: TaskState, limit: number): Promise<Column> {
  const where = { board_id: boardId, status }
  const found = await tasks.list(driver, { where, order: isFinal(taskFlow, status) ? ['-number'] : ['unmet', 'priority', 'number'], limit })
  const count = found.length < limit ? found.length : await tasks.count(driver, where)
  return { status, count, cards: await Promise.all(found.map(({ item }) => cardOf(driver, item))) }
}

/** Every board, newest first. */
export async function listBoards(driver: Driver): Promise<{ id: string; root: string; goal: string; status: Board['goal']['status'] }[]> {
  return (await boards.list(driver, { order: ['-id'] })).map(({ item }) => boardSummary(item))
}

export function boardSummary({ id, root, goal }: Board) {
  return { id, root, goal: goal.description, status: goal.status }
}

/** The first line of what a task is about. */
export function titleOf({ description }: Pick<Task, 'description'>): string {
  return shorten(description.split('\n')[0] ?? '', TITLE_CHARS)
}

async function cardOf(driver: Driver, task: Task): Promise<Card> {
  return {
    ...task,
    title: titleOf(task),
    changed_at: task.history.at(-1)?.time ?? task.created,
    cost_microusd: task.iteration === null ? 0 : costOf(await runsOf(driver, task.board_id, task.id)),
  }
}

async function viewAgents(driver: Driver, boardId: string) {
  const found = await boardAgents.list(driver, { where: { board_id: boardId } })
  const lines = found.length === 0 ? [] : (await readActivity(driver, boardId, { limit: LINES_LOOKED_AT })).toReversed()
  return Promise.all(
    found.map(async ({ item }) => ({
      ...item,
      last: lastOf(lines.find(({ agent }) => agent === item.id)),
      tool: await toolOf(driver, item),
    })),
  )
}

function lastOf(line: ActivityLine | undefined) {
  return line === undefined ? null : { action: line.action, detail: line.detail, at: line.timestamp }
}

/** The tool an agent called last in the run it is in. */
async function toolOf(driver: Driver, { id, board_id, current_task }: BoardAgent): Promise<string | null> {
  const range = threadsOf(board_id, current_task ?? PLANNING, id)
  const [run] = (await runs.list(driver, { where: { thread_id: range, status: 'running' }, order: ['-id'], limit: 1 })).map(
    ({ item }) => item,
  )
  if (run === undefined) return null
  const latest = await entries.list(driver, { where: { thread_id: run.thread_id }, order: ['-number'], limit: 5 })
  return (
    latest
      .map(({ item }) => (item.from === 'tool' ? item.tool : item.from === 'assistant' ? item.calls.at(-1)?.tool : undefined))
      .find(Boolean) ?? null
  )
}

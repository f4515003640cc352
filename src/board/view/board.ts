import type { BoardAgent } from '../../domain/board/agent.ts'
import type { Board } from '../../domain/board/board.ts'
import { isFinal } from '../../domain/flow.ts'
import { shorten } from '../../domain/text/shorten.ts'
import { taskFlow, type TaskState } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, entries, runs, tasks } from '../../store/tables.ts'
import { type ActivityLine, readActivity } from '../activity.ts'
import { countWaiting } from '../task/approve-plan.ts'
import { PLANNING, runsOf, spentOn, threadsOf } from '../agent/runs-of.ts'

/** How many cards of a state are shown before somebody asks for more. */
const FIRST_CARDS = 20
const TITLE_CHARS = 160
const LINES_LOOKED_AT = 300

export interface Card extends Task {
  title: string
  changed_at: string
  cost_microusd: number | null
  estimated: boolean
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
  const found = await tasks.items(driver, {
    where,
    order: isFinal(taskFlow, status) ? ['-number'] : ['unmet', 'priority', 'number'],
    limit,
  })
  const count = found.length < limit ? found.length : await tasks.count(driver, where)
  return { status, count, cards: await Promise.all(found.map((task) => cardOf(driver, task))) }
}

/** Every board, newest first. */
export async function listBoards(driver: Driver): Promise<{ id: string; root: string; goal: string; status: Board['goal']['status'] }[]> {
  return (await boards.items(driver, { order: ['-id'] })).map(boardSummary)
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
    ...spentOn(task.iteration === null ? [] : await runsOf(driver, task.board_id, task.id)),
  }
}

async function viewAgents(driver: Driver, boardId: string) {
  const found = await boardAgents.items(driver, { where: { board_id: boardId } })
  const lines = found.length === 0 ? [] : (await readActivity(driver, boardId, { limit: LINES_LOOKED_AT })).toReversed()
  return Promise.all(
    found.map(async (agent) => ({
      ...agent,
      last: lastOf(lines.find((line) => line.agent === agent.id)),
      tool: await toolOf(driver, agent),
    })),
  )
}

function lastOf(line: ActivityLine | undefined) {
  return line === undefined ? null : { action: line.action, detail: line.detail, at: line.timestamp }
}

/** The tool an agent called last in the run it is in. */
async function toolOf(driver: Driver, { id, board_id, current_task }: BoardAgent): Promise<string | null> {
  const range = threadsOf(board_id, current_task ?? PLANNING, id)
  const [run] = await runs.items(driver, { where: { thread_id: range, status: 'running' }, order: ['-id'], limit: 1 })
  if (run === undefined) return null
  const latest = await entries.items(driver, { where: { thread_id: run.thread_id }, order: ['-number'], limit: 5 })
  const called = latest.map((entry) => (entry.from === 'tool' ? entry.tool : entry.from === 'assistant' ? entry.calls.at(-1)?.tool : ''))
  return called.find(Boolean) ?? null
}

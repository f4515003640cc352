import * as z from 'zod'
import { isFinal } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { shorten } from '../../domain/text/format.ts'
import { taskFlow, type TaskState } from '../../domain/board/task-flow.ts'
import { Task, TaskPlan } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { tasks } from '../../store/tables.ts'
import { Cost, runsOf, spentOnTask } from '../agent/runs-of.ts'
import type { RecordsContext } from '../context.ts'
import { BaseDistance, distanceHere } from '../goal/base-branch.ts'

const TITLE_CHARS = 160

/** A task as a card: enough to see who has it, how it goes and what it asks. */
type TaskCard = z.infer<typeof TaskCard>
const TaskCard = Task.pick({
  id: true,
  status: true,
  kind: true,
  priority: true,
  sprint: true,
  assigned_to: true,
  reviewing_by: true,
  iteration: true,
  lease_expires: true,
  review_lease_expires: true,
  review_cycles_current: true,
  blocked_reason: true,
  blocked_questions: true,
  failed_by: true,
  depends_on: true,
  unmet: true,
  plan_approved_by: true,
}).extend({
  title: z.string(),
  /** When something last happened to it. */
  changed_at: z.iso.datetime(),
  /** 0 where nobody worked on it yet. */
  cost_microusd: Cost,
  estimated: z.boolean(),
})

/** The first cards of a state, and how many there are. */
export type BoardColumn = z.infer<typeof BoardColumn>
export const BoardColumn = z.object({ status: Task.shape.status, count: z.int(), cards: z.array(TaskCard) })

/** Those of one state come in the order in which they are taken up. */
export const listTasks = defineOperation({
  name: 'board.list_tasks',
  summary: 'List the tasks of a board, or those in one state',
  by: ['person'],
  effect: 'read',
  command: 'board list',
  input: z.strictObject({
    status: Task.shape.status.optional().describe('only those in this state'),
    limit: z.int().min(1).max(5_000).default(5_000).describe('how many at most'),
  }),
  output: z.object({ count: z.int(), tasks: z.array(TaskCard), base: BaseDistance.nullable() }),
  example: { status: 'BLOCKED' },
  tell: ({ tasks: listed }) => listed.map(({ id, status, title }) => `${id} ${status} ${title}`).join('\n'),
  run: async (context: RecordsContext, { status, limit }) => {
    const { count, cards } = await cardsOf(context.driver, context.board_id, status, limit)
    return { count, tasks: cards, base: await distanceHere(context) }
  },
})

/** The cards of one state: what comes next first, of what is over the newest first. */
export async function viewColumn(driver: Driver, boardId: string, status: TaskState, limit: number): Promise<BoardColumn> {
  return { status, ...(await cardsOf(driver, boardId, status, limit)) }
}

async function cardsOf(driver: Driver, board_id: string, status: TaskState | undefined, limit: number) {
  const where = status === undefined ? { board_id } : { board_id, status }
  const found = await tasks.items(driver, { where, order: orderOf(status), limit })
  const count = found.length < limit ? found.length : await tasks.count(driver, where)
  return { count, cards: await Promise.all(found.map((task) => cardOf(driver, task))) }
}

function orderOf(status: TaskState | undefined) {
  if (status === undefined) return ['number'] as const
  return isFinal(taskFlow, status) ? (['-number'] as const) : (['unmet', 'priority', 'number'] as const)
}

/** The first line of what a task is about. */
export function titleOf({ description }: Pick<TaskPlan, 'description'>): string {
  return shorten(description.split('\n')[0] ?? '', TITLE_CHARS)
}

async function cardOf(driver: Driver, task: Task): Promise<TaskCard> {
  return {
    ...task,
    title: titleOf(task),
    changed_at: task.history.at(-1)?.time ?? task.created,
    ...spentOnTask(task.iteration === null ? [] : await runsOf(driver, task.board_id, task.id)),
  }
}

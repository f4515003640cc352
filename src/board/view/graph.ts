import * as z from 'zod'
import { movesFrom } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { Task, TaskId, type TaskPlan, type TaskEntry } from '../../domain/board/task.ts'
import { tasks } from '../../store/tables.ts'
import type { RecordsContext } from '../context.ts'
import { needTask } from '../find.ts'
import { linkOf, tasksOf } from './task.ts'

/** More are not told apart on a screen. */
const GRAPH_TASKS = 150

/** Bounded: of a large board only what is still open, or what surrounds one task. */
export const viewGraph = defineOperation({
  name: 'board.view_graph',
  summary: 'Show which task waits for which: all that are open, or those around one',
  by: ['person'],
  effect: 'read',
  command: 'board graph [around]',
  input: z.strictObject({ around: TaskId.optional().describe('only what this task waits for and what waits for it') }),
  output: z.object({
    tasks: z.array(Task.pick({ id: true, status: true, depends_on: true }).extend({ title: z.string() })),
    left_out: z.int(),
  }),
  example: { around: 'task-1' },
  tell: ({ tasks: shown }) => shown.map(({ id, depends_on }) => `${id} waits for ${depends_on.join(', ') || 'nothing'}`).join('\n'),
  run: async ({ driver, board_id }: RecordsContext, { around }) => {
    if (around !== undefined) {
      const { item } = await needTask(driver, board_id, around)
      const near = [...new Set([item.id, ...item.depends_on, ...item.dependents])].slice(0, GRAPH_TASKS)
      return graphOf(await tasksOf(driver, board_id, near), 0)
    }
    const where = { board_id, status: taskFlow.states.filter((state) => movesFrom(taskFlow, state).length > 0) }
    const open = await tasks.items(driver, { where, order: ['number'], limit: GRAPH_TASKS })
    const shown = new Set(open.map(({ id }) => id))
    const awaited = [...new Set(open.flatMap(({ depends_on }) => depends_on))].filter((id) => !shown.has(id)).slice(0, GRAPH_TASKS)
    return graphOf([...(await tasksOf(driver, board_id, awaited)), ...open], (await tasks.count(driver, where)) - open.length)
  },
})

function graphOf(shown: readonly (TaskEntry & TaskPlan)[], left_out: number) {
  const ids = new Set(shown.map(({ id }) => id))
  return { tasks: shown.map((task) => ({ ...linkOf(task), depends_on: task.depends_on.filter((id) => ids.has(id)) })), left_out }
}

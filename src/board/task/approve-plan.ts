import * as z from 'zod'
import { boardKey } from '../../domain/board/board.ts'
import { counted } from '../../domain/text/format.ts'
import { Problem } from '../../domain/problem.ts'
import { defineOperation } from '../../domain/operation.ts'
import { TaskId, type Task, type TaskEntry } from '../../domain/board/task.ts'
import { tasks } from '../../store/tables.ts'
import { logActivity } from '../activity.ts'
import { unmetOf } from './dependencies.ts'
import { type BoardRef, needPerson, type RecordsContext } from '../context.ts'
import { needTask } from '../find.ts'
import { tellTask } from './move.ts'

/** A large plan is approved in steps, so that nobody else has to wait for all of it. */
const AT_ONCE = 200

/** A person's word that tasks may be worked on. */
export const approvePlan = defineOperation({
  name: 'board.approve_plan',
  summary: 'Approve finalized tasks, so that they may be claimed',
  by: ['person'],
  effect: 'change',
  command: 'board approve-plan [tasks...]',
  input: z.strictObject({ tasks: z.array(TaskId).default([]).describe('the tasks; all that wait when left out') }),
  output: z.object({ approved: z.array(z.string()) }),
  example: { tasks: ['task-1', 'task-2'] },
  tell: ({ approved }) => (approved.length === 0 ? 'No task waits for approval.' : `Approved: ${approved.join(', ')}`),
  run: async (context: RecordsContext, { tasks: only }) => {
    const human = needPerson(context.actor)
    const waiting = (await waitingForApproval(context)).filter(({ id }) => only.length === 0 || only.includes(id))
    const missing = only.filter((id) => !waiting.some((task) => task.id === id))
    for (const id of missing) await needTask(context.driver, context.board_id, id)
    if (missing.length > 0)
      throw new Problem(
        'conflict',
        `${missing.join(', ')} ${missing.length === 1 ? 'does' : 'do'} not wait for approval; only finalized tasks do`,
      )
    for (let from = 0; from < waiting.length; from += AT_ONCE) await approve(context, human, waiting.slice(from, from + AT_ONCE))
    if (waiting.length > 0) {
      const detail = `approved ${counted(waiting.length, 'task')}`
      await logActivity(context, { agent: human, action: 'plan_approved', detail })
    }
    return { approved: waiting.map(({ id }) => id) }
  },
})

async function approve({ driver }: RecordsContext, human: string, waiting: readonly TaskEntry[]): Promise<void> {
  await driver.transaction(async (tx) => {
    for (const was of await tasks.list(tx, { where: { id: waiting.map(boardKey), status: 'UNCLAIMED' } })) {
      if (was.item.plan_approved_by !== null) continue
      const unmet = await unmetOf(tx, { ...was.item, plan_approved_by: human })
      const event = { by: { role: 'human', id: human } as const, event: 'plan_approved' } as const
      await tellTask(tx, was, event, { plan_approved_by: human, unmet })
    }
  })
}

/** The tasks that only lack a person's approval of the plan. */
export async function waitingForApproval({ driver, board_id }: BoardRef): Promise<Task[]> {
  const open = await tasks.items(driver, {
    where: { board_id, status: 'UNCLAIMED', unmet: { above: 0 } },
    order: ['unmet', 'priority', 'number'],
  })
  return open.filter(({ plan_approved_by }) => plan_approved_by === null)
}

/** How many tasks only lack a person's approval; counted by the database, because a plan may hold thousands of them. */
export async function countWaiting({ driver, board_id }: BoardRef): Promise<number> {
  // A text of a task cannot look like this field: inside a text every quotation mark is escaped.
  const sql = `select count(*) as count from tasks where board_id = $1 and status = 'UNCLAIMED' and unmet > 0 and data like $2`
  const [row] = await driver.query<{ count: number }>(sql, [board_id, '%"plan_approved_by":null%'])
  return row?.count ?? 0
}

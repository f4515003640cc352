import * as z from 'zod'
import { isUrgent } from '../../domain/board/record.ts'
import { Board } from '../../domain/board/board.ts'
import { claimableStates, taskFlow, type TaskMove } from '../../domain/board/task-flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { tasks } from '../../store/tables.ts'
import type { RecordsContext } from '../context.ts'
import { boardOf } from '../find.ts'
import { BaseDistance, distanceHere } from '../goal/base-branch.ts'
import { recordsOf } from '../records.ts'
import { waitingForApproval } from '../task/approve-plan.ts'

const ids = z.array(z.string())

export const listWaiting = defineOperation({
  name: 'board.list_waiting',
  summary: 'Say what waits for whom',
  by: ['person'],
  effect: 'read',
  command: 'board next',
  input: z.strictObject({}),
  output: z.object({
    to_decide: ids,
    to_finalize: ids,
    to_approve: ids,
    to_claim: ids,
    to_review: ids,
    to_merge: ids,
    to_answer: ids,
    to_settle: ids,
    /** How many tasks there are. */
    tasks: z.int(),
    goal: Board.shape.goal.pick({ description: true, status: true }),
    base: BaseDistance.nullable(),
  }),
  example: {},
  tell: ({ goal, ...waiting }) =>
    Object.entries(waiting)
      .flatMap(([name, listed]) => (Array.isArray(listed) && listed.length > 0 ? [`${name.replace('_', ' ')}: ${listed.join(', ')}`] : []))
      .join('\n') || `Nothing waits. The goal is ${goal.status}.`,
  run: async (context: RecordsContext) => {
    const { driver, board_id } = context
    const found = await tasks.items(driver, { where: { board_id }, order: ['number'] })
    const { signal, goal } = await boardOf(context)
    const ready = (move: TaskMove) => found.filter(({ status }) => taskFlow.moves[move].from.includes(status)).map(({ id }) => id)
    return {
      to_decide: signal === null ? [] : [`${signal.name} by ${signal.by} since ${signal.since}${signal.message && `: ${signal.message}`}`],
      to_finalize: ready('finalize'),
      to_approve: (await waitingForApproval(context)).map(({ id }) => id),
      to_claim: found.filter(({ status, unmet }) => unmet === 0 && claimableStates.includes(status)).map(({ id }) => id),
      to_review: ready('approve'),
      to_merge: ready('merge'),
      to_answer: ready('unblock'),
      to_settle: (await recordsOf(context, 'discovery')).filter(isUrgent).map(({ id }) => id),
      tasks: found.length,
      goal,
      base: await distanceHere(context),
    }
  },
})

import * as z from 'zod'
import { fitting } from '../../domain/text/schema-error.ts'
import { defineOperation } from '../../domain/operation.ts'
import { TaskId, TaskRecord, type Task, type TaskClaim } from '../../domain/board/task.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import { needIdentity, type RecordsContext, type Identity, type BoardRef } from '../context.ts'
import { logExhaustion } from '../agent/duties.ts'
import { freeAgent, moveTask, refuseOtherHolder, refuseMove, withoutClaim, withoutReview, type TaskStep } from './move.ts'
import { actOn } from '../agent/known-actor.ts'

const heldByHand = 'a planner supersedes or abandons what should not continue'

/** Why a task cannot go on, and what would let it. */
export type Blocking = z.infer<typeof Blocking>
export const Blocking = z.object({
  blocked_reason: NonBlank.min(10, 'says what is in the way, specifically').describe('what is in the way'),
  blocked_questions: z.array(NonBlank.min(5)).min(1, 'asks 1 to 3 questions').max(3, 'asks 1 to 3 questions').describe('1 to 3'),
  attempted: z.array(NonBlank).default([]).describe('what was tried'),
})

/** The coder never guesses. It counts as one that failed at this task. */
export const markBlocked = defineOperation({
  name: 'board.mark_blocked',
  summary: 'Say why a task cannot continue, and ask',
  advice: 'Stop because the task cannot be done as it is: why, 1-3 questions whose answers would unblock it, what you tried.',
  by: ['coder'],
  effect: 'change',
  ends: true,
  command: 'board block <task>',
  input: z.strictObject({ task: TaskId, ...Blocking.shape }),
  output: TaskRecord,
  example: { task: 'task-1', blocked_reason: 'The spec does not say how long a page is', blocked_questions: ['How long is a page?'] },
  tell: ({ id, status }) => `${id} is ${status}; the planner answers`,
  run: (context: RecordsContext, { task, ...blocking }) => blockTask(context, needIdentity(context.actor), task, blocking),
})

/** A coder that cannot go on says why and asks; it never guesses. It counts as one that failed at this task. */
export async function blockTask(board: BoardRef, identity: Identity, taskId: string, given: unknown): Promise<Task> {
  const blocking = fitting(Blocking, given, 'a task is blocked with a reason and 1 to 3 questions')
  return actOn(board, identity, taskId, async (tx, who, was) => {
    refuseMove(was.item, 'block', who)
    refuseOtherHolder(was.item, who)
    return takeOut(tx, was, { move: 'block', by: who }, { ...blocking, failed_by: [...new Set([...was.item.failed_by, who.id])] })
  })
}

/** For example to have it planned again. Its coder is not to blame. */
export const holdTask = defineOperation({
  name: 'board.hold_task',
  summary: 'Take a task out of play until somebody answers',
  by: ['person', 'planner'],
  effect: 'change',
  command: 'board hold <task>',
  input: z.strictObject({ task: TaskId, reason: NonBlank.max(4_000).describe('why') }),
  output: TaskRecord,
  example: { task: 'task-1', reason: 'Wait for the new spec' },
  absent: { agent: heldByHand, mcp: heldByHand },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: (context: RecordsContext, { task, reason }) =>
    actOn(context, context.actor, task, (tx, who, was) => {
      const why = { blocked_reason: reason, blocked_questions: ['What should become of this task?'] }
      return takeOut(tx, was, { move: 'hold', by: who }, why)
    }),
})

/** Takes a task out of play inside a transaction that may do more; nobody works on it or reviews it after that. */
export async function takeOut(
  tx: Driver,
  was: Stored<Task>,
  { move, by }: { move: 'block' | 'hold'; by: TaskStep['by'] },
  why: Partial<TaskClaim> & { blocked_reason: string },
): Promise<Task> {
  const { id, board_id, assigned_to, reviewing_by } = was.item
  const { blocked_reason: detail } = why
  const step = { move, by, event: 'blocked', about: { reason: detail } } as const
  const { item } = await moveTask(tx, was, step, { ...why, ...withoutClaim, ...withoutReview })
  for (const agent of [assigned_to, reviewing_by]) await freeAgent(tx, was.item, agent)
  await recordActivity(tx, board_id, { agent: by.id, action: 'blocked', task: id, detail })
  await logExhaustion(tx, item)
  return item
}

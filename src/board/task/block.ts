import * as z from 'zod'
import { fitting } from '../../domain/text/fitting.ts'
import type { Task } from '../../domain/board/task.ts'
import { NonBlank } from '../../domain/text/non-blank.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import type { Actor, Identity, BoardRef } from '../desk.ts'
import { logExhaustion } from '../agent/duties.ts'
import { freeAgent, moveTask, refuseOtherHolder, refuseMove, withoutClaim, withoutReview, type TaskStep } from './move.ts'
import { actOn } from '../agent/known-actor.ts'

/** Why a task cannot go on, and what would let it. */
export type Blocking = z.infer<typeof Blocking>
export const Blocking = z.object({
  blocked_reason: NonBlank.min(10, 'says what is in the way, specifically'),
  blocked_questions: z.array(NonBlank.min(5)).min(1, 'asks 1 to 3 questions').max(3, 'asks 1 to 3 questions'),
  attempted: z.array(NonBlank).default([]),
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

/** A person or the planner takes a task out of play, for example to have it planned anew. Its coder is not to blame. */
export async function holdTask(
  board: BoardRef,
  actor: Actor,
  taskId: string,
  { reason, questions = [] }: { reason: string; questions?: string[] },
): Promise<Task> {
  const blocked_questions = questions.length > 0 ? questions.slice(0, 3) : ['What should become of this task?']
  return actOn(board, actor, taskId, (tx, who, was) =>
    takeOut(tx, was, { move: 'hold', by: who }, { blocked_reason: reason, blocked_questions }),
  )
}

/** Takes a task out of play inside a transaction that may do more; nobody works on it or reviews it after that. */
export async function takeOut(
  tx: Driver,
  was: Stored<Task>,
  { move, by }: { move: 'block' | 'hold'; by: TaskStep['by'] },
  why: Partial<Task> & { blocked_reason: string },
): Promise<Task> {
  const { id, board_id, assigned_to, reviewing_by } = was.item
  const { blocked_reason: detail } = why
  const step = { move, by, event: 'blocked', about: { reason: detail } }
  const { item } = await moveTask(tx, was, step, { ...why, ...withoutClaim, ...withoutReview })
  for (const agent of [assigned_to, reviewing_by]) await freeAgent(tx, was.item, agent)
  await recordActivity(tx, board_id, { agent: by.id, action: 'blocked', task: id, detail })
  await logExhaustion(tx, item)
  return item
}

import * as z from 'zod'
import { fitting } from '../domain/fitting.ts'
import type { Task } from '../domain/task.ts'
import { Words } from '../domain/words.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { sayActivity } from './activity.ts'
import type { Actor, Identity, Shelf } from './desk.ts'
import { logExhaustion } from './duties.ts'
import { freeAgent, moveTask, mustHold, mustMove, unclaimed, unreviewed, type TaskStep } from './move.ts'
import { actOn } from './standing.ts'

/** Why a task cannot go on, and what would let it. */
export type Blocking = z.infer<typeof Blocking>
export const Blocking = z.object({
  blocked_reason: Words.min(10, 'says what is in the way, specifically'),
  blocked_questions: z.array(Words.min(5)).min(1, 'asks 1 to 3 questions').max(3, 'asks 1 to 3 questions'),
  attempted: z.array(Words).default([]),
})

/** A coder that cannot go on says why and asks; it never guesses. It counts as one that failed at this task. */
export async function blockTask(desk: Shelf, identity: Identity, taskId: string, given: unknown): Promise<Task> {
  const blocking = fitting(Blocking, given, 'a task is blocked with a reason and 1 to 3 questions')
  return actOn(desk, identity, taskId, async (tx, who, was) => {
    mustMove(was.item, 'block', who)
    mustHold(was.item, who)
    return takeOut(tx, was, { move: 'block', by: who }, { ...blocking, failed_by: [...new Set([...was.item.failed_by, who.id])] })
  })
}

/** A person or the planner takes a task out of play, for example to have it planned anew. Its coder is not to blame. */
export async function holdTask(
  desk: Shelf,
  actor: Actor,
  taskId: string,
  { reason, questions = [] }: { reason: string; questions?: string[] },
): Promise<Task> {
  const blocked_questions = questions.length > 0 ? questions.slice(0, 3) : ['What should become of this task?']
  return actOn(desk, actor, taskId, (tx, who, was) =>
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
  const { item } = await moveTask(tx, was, step, { ...why, ...unclaimed, ...unreviewed })
  for (const agent of [assigned_to, reviewing_by]) await freeAgent(tx, was.item, agent)
  await sayActivity(tx, board_id, { agent: by.id, action: 'blocked', task: id, detail })
  await logExhaustion(tx, item)
  return item
}

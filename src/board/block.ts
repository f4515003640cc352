import * as z from 'zod'
import { boardKey } from '../domain/board.ts'
import { fitting } from '../domain/fitting.ts'
import type { Task } from '../domain/task.ts'
import { sayActivity } from './activity.ts'
import type { Actor, Desk, Identity } from './desk.ts'
import { needTask } from './find.ts'
import { freeAgent, moveTask, mustHold, mustMove } from './move.ts'
import { standingOf } from './standing.ts'

/** Why a task cannot go on, and what would let it. */
export type Blocking = z.infer<typeof Blocking>
export const Blocking = z.object({
  blocked_reason: z.string().min(10, 'says what is in the way, specifically'),
  blocked_questions: z.array(z.string().min(5)).min(1, 'asks 1 to 3 questions').max(3, 'asks 1 to 3 questions'),
  attempted: z.array(z.string().min(1)).default([]),
})

/** A coder that cannot go on says why and asks; it never guesses. It counts as one that failed at this task. */
export async function blockTask(
  desk: Pick<Desk, 'driver' | 'board_id'>,
  identity: Identity,
  taskId: string,
  given: unknown,
): Promise<Task> {
  const blocking = fitting(Blocking, given, 'a task is blocked with a reason and 1 to 3 questions')
  return desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, identity)
    const was = await needTask(tx, desk.board_id, taskId)
    mustMove(was.item, 'block', who)
    mustHold(was.item, who)
    const { blocked_reason } = blocking
    const blocked = await moveTask(
      tx,
      was,
      { move: 'block', by: who, event: 'blocked', about: { reason: blocked_reason } },
      { ...blocking, failed_by: [...new Set([...was.item.failed_by, who.id])], claim_generation: null, lease_expires: null },
    )
    await freeAgent(tx, boardKey({ board_id: desk.board_id, id: who.id }), taskId)
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'blocked', task: taskId, detail: blocked_reason })
    return blocked.item
  })
}

/** A person or the planner takes a task out of play, for example to have it planned anew. Its coder is not to blame. */
export async function holdTask(
  desk: Pick<Desk, 'driver' | 'board_id'>,
  actor: Actor,
  taskId: string,
  { reason, questions = [] }: { reason: string; questions?: string[] },
): Promise<Task> {
  const blocked_questions = questions.length > 0 ? questions.slice(0, 3) : ['What should become of this task?']
  return desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, actor)
    const was = await needTask(tx, desk.board_id, taskId)
    const { assigned_to, reviewing_by } = was.item
    const held = await moveTask(
      tx,
      was,
      { move: 'hold', by: who, event: 'blocked', about: { reason } },
      {
        blocked_reason: reason,
        blocked_questions,
        claim_generation: null,
        lease_expires: null,
        reviewing_by: null,
        review_generation: null,
        review_lease_expires: null,
      },
    )
    for (const id of [assigned_to, reviewing_by]) if (id !== null) await freeAgent(tx, boardKey({ board_id: desk.board_id, id }), taskId)
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'blocked', task: taskId, detail: reason })
    return held.item
  })
}

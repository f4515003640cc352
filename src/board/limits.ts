import { type Board, boardKey } from '../domain/board.ts'
import type { Task } from '../domain/task.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { sayActivity } from './activity.ts'
import { addRecord } from './add-record.ts'
import { freeAgent, moveTask } from './move.ts'

const supervisor = { role: 'supervisor', id: 'supervisor' } as const

/** Blocks a task that has used up its iterations or its review cycles; true when it did. */
export async function holdForLimit(tx: Driver, board: Board, was: Stored<Task>): Promise<boolean> {
  const { iteration, max_iterations, review_cycles_current } = was.item
  const { max_review_cycles, max_coder_iterations } = board.config
  if (review_cycles_current >= max_review_cycles) {
    await holdTask(tx, was, {
      reason: `review deadlock: rejected ${review_cycles_current} times in a row`,
      questions: ['Does the coder ignore the feedback, are the criteria unclear, or is the task framed wrongly?'],
    })
    await addReviewDeadlock(tx, was.item)
    return true
  }
  const most = max_iterations ?? max_coder_iterations
  if ((iteration ?? 0) < most) return false
  await holdTask(tx, was, {
    reason: `${iteration} iterations without approval, the limit is ${most}`,
    questions: ['What keeps this task from being approved: its definition, its size or the spec?'],
  })
  return true
}

/** Puts a task before the planner; its coder counts as one that failed at it. */
async function holdTask(tx: Driver, was: Stored<Task>, { reason, questions }: { reason: string; questions: string[] }): Promise<void> {
  const { id, board_id, assigned_to, failed_by } = was.item
  await moveTask(
    tx,
    was,
    { move: 'hold', by: supervisor, event: 'blocked', about: { reason } },
    {
      blocked_reason: reason,
      blocked_questions: questions,
      failed_by: assigned_to === null ? failed_by : [...new Set([...failed_by, assigned_to])],
      lease_expires: null,
      claim_generation: null,
    },
  )
  if (assigned_to !== null) await freeAgent(tx, boardKey({ board_id, id: assigned_to }), id)
  await sayActivity(tx, board_id, { agent: 'supervisor', action: 'blocked', task: id, detail: reason })
}

async function addReviewDeadlock(tx: Driver, { id, board_id, review_cycles_current, rejection_reason }: Task): Promise<void> {
  await addRecord(tx, board_id, {
    kind: 'anomaly',
    task: id,
    reporter: 'supervisor',
    type: 'review_deadlock',
    details: { review_cycles: review_cycles_current, rejection_reason },
  })
}

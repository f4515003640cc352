import type { Board } from '../../domain/board/board.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import { takeOut } from '../task/block.ts'
import { addRecord } from '../records.ts'

const supervisor = { role: 'supervisor', id: 'supervisor' } as const

/** Blocks a task that has used up its iterations or its review cycles, for the planner to look at; true when it did. Its coder counts as one that failed at it. */
export async function holdForLimit(tx: Driver, { config }: Board, was: Stored<Task>): Promise<boolean> {
  const { id, board_id, iteration, max_iterations, review_cycles_current: cycles, rejection_reason, assigned_to, failed_by } = was.item
  const most = max_iterations ?? config.max_coder_iterations
  const deadlock = cycles >= config.max_review_cycles
  if (!deadlock && (iteration ?? 0) < most) return false
  const why = deadlock
    ? {
        blocked_reason: `review deadlock: rejected ${cycles} times in a row`,
        blocked_questions: ['Does the coder ignore the feedback, are the criteria unclear, or is the task framed wrongly?'],
      }
    : {
        blocked_reason: `${iteration} iterations without approval, the limit is ${most}`,
        blocked_questions: ['What keeps this task from being approved: its definition, its size or the spec?'],
      }
  const failed = assigned_to === null ? failed_by : [...new Set([...failed_by, assigned_to])]
  await takeOut(tx, was, { move: 'hold', by: supervisor }, { ...why, failed_by: failed })
  if (!deadlock) return true
  const type = 'review_deadlock'
  const details = { review_cycles: cycles, rejection_reason }
  await addRecord(tx, board_id, { kind: 'anomaly', task: id, reporter: supervisor.id, type, details })
  await recordActivity(tx, board_id, { agent: supervisor.id, action: 'anomaly', task: id, detail: type })
  return true
}

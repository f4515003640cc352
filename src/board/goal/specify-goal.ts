import { Problem } from '../../domain/problem.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRepository } from '../desk.ts'
import { needSpec } from './spec.ts'
import { integrationNow } from './take-in.ts'

/** Gives an open goal the spec it was begun without. One that has another keeps it: tasks were planned by that. */
export async function specifyGoal(board: BoardRepository, by: string, spec_ref: string): Promise<void> {
  const { driver, board_id, repository } = board
  await needSpec(repository, [await integrationNow(board)], spec_ref)
  await driver.transaction(async (tx) => {
    const was = await boards.get(tx, board_id)
    const { goal } = was.item
    if (goal.spec_ref === spec_ref) return
    if (goal.spec_ref !== null) {
      const ways = 'leave --spec out to go on with it, or end it first (troupe board abort)'
      throw new Problem('conflict', `this goal is planned by ${goal.spec_ref}, not by ${spec_ref}; ${ways}`)
    }
    await boards.replace(tx, was, { ...was.item, goal: { ...goal, spec_ref } })
    await recordActivity(tx, board_id, { agent: by, action: 'goal_specified', detail: spec_ref })
  })
}

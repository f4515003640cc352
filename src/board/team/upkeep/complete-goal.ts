import { goalFlow, sprintFlow, type Board } from '../../../domain/board/board.ts'
import { nextState } from '../../../domain/flow.ts'
import { openStates } from '../../../domain/board/task-flow.ts'
import type { Driver } from '../../../store/driver.ts'
import { boards, tasks } from '../../../store/tables.ts'
import { recordActivity } from '../../activity.ts'
import { openCauses, someonePlans } from '../planner/causes.ts'

/** Says that the goal is reached once every task is over and nothing waits for a planner. */
export async function completeWhenReached(driver: Driver, boardId: string): Promise<void> {
  if (!(await isReached(driver, (await boards.get(driver, boardId)).item))) return
  await driver.transaction(async (tx) => {
    const was = await boards.get(tx, boardId)
    if (!(await isReached(tx, was.item))) return
    const { goal, sprint } = was.item
    const ended = (await tx.now()).toISOString()
    await boards.replace(tx, was, {
      ...was.item,
      goal: { ...goal, status: nextState(goalFlow, goal.status, 'complete', 'supervisor') },
      sprint: {
        ...sprint,
        status: nextState(sprintFlow, sprint.status, 'complete', 'supervisor'),
        timeline: { ...sprint.timeline, ended },
      },
    })
    await recordActivity(tx, boardId, { agent: 'supervisor', action: 'goal_completed', detail: goal.description })
  })
}

async function isReached(driver: Driver, board: Board): Promise<boolean> {
  if (board.goal.status !== 'IN_PROGRESS' || board.signal !== null) return false
  if ((await tasks.count(driver, { board_id: board.id, status: openStates })) > 0) return false
  return board.tasks_added > board.base_tasks && (await openCauses(driver, board)).length === 0 && !(await someonePlans(driver, board.id))
}

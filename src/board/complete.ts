import { goalFlow, sprintFlow, type Board } from '../domain/board.ts'
import { next } from '../domain/flow.ts'
import { finalStates, taskFlow } from '../domain/task-flow.ts'
import { boards, tasks } from '../store/tables.ts'
import { sayActivity } from './activity.ts'
import type { Desk } from './desk.ts'

const open = taskFlow.states.filter((state) => !finalStates.some((final) => final === state))

/** Declares the sprint and the goal complete once no task is left that could still move; otherwise leaves them as they are. */
export async function completeWhenDone({ driver, board_id }: Pick<Desk, 'driver' | 'board_id'>): Promise<Board> {
  return driver.transaction(async (tx) => {
    const was = await boards.get(tx, board_id)
    const { goal, sprint, tasks_added } = was.item
    const left = await tasks.count(tx, { board_id, status: open })
    if (tasks_added === 0 || left > 0 || goal.status !== 'IN_PROGRESS' || sprint.status !== 'IN_PROGRESS') return was.item
    const ended = (await tx.now()).toISOString()
    const done = await boards.replace(tx, was, {
      ...was.item,
      goal: { ...goal, status: next(goalFlow, goal.status, 'complete', 'supervisor') },
      sprint: { ...sprint, status: next(sprintFlow, sprint.status, 'complete', 'supervisor'), timeline: { ...sprint.timeline, ended } },
    })
    await sayActivity(tx, board_id, { agent: 'supervisor', action: 'completed', detail: goal.description })
    return done.item
  })
}

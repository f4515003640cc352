import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import { needTask } from '../find.ts'
import { type ToldEvent, tellTask } from '../task/move.ts'
import type { MoveContext } from './move.ts'
import type { TeamMember } from './member.ts'

/** A move that an agent said in words and was refused stands in the log and in the history of its task: nobody reads its thread. */
export async function tellRefusal(
  { team: { board }, identity: { agent } }: TeamMember,
  { task }: MoveContext,
  detail: string,
): Promise<void> {
  await board.driver.transaction(async (tx) => {
    await recordActivity(tx, board.board_id, { agent, action: 'move_refused', task, detail })
    if (task !== null)
      await addEvent(tx, board.board_id, task, { by: supervising(agent), event: 'move_refused', about: { reason: detail } })
  })
}

/** How often agents have hung at a task since a person or a planner looked at it; without a task, how often this one has. */
export async function countSilence(
  { team: { board }, identity: { agent } }: TeamMember,
  { task }: MoveContext,
  here: number,
): Promise<number> {
  if (task === null) return here
  const { history } = await board.driver.transaction((tx) =>
    addEvent(tx, board.board_id, task, { by: supervising(agent), event: 'agent_silent' }),
  )
  return history.slice(history.findLastIndex(({ event }) => event === 'unblocked') + 1).filter(({ event }) => event === 'agent_silent')
    .length
}

async function addEvent(tx: Driver, boardId: string, taskId: string, told: ToldEvent): Promise<Task> {
  const was = await needTask(tx, boardId, taskId)
  return (await tellTask(tx, was, told)).item
}

function supervising(id: string) {
  return { role: 'supervisor', id } as const
}

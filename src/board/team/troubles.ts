import type { Task } from '../../domain/task.ts'
import type { Driver } from '../../store/driver.ts'
import { tasks } from '../../store/tables.ts'
import { sayActivity } from '../activity.ts'
import { needTask } from '../find.ts'
import { withEvent } from '../move.ts'
import type { MoveSite } from './move.ts'
import type { Seat } from './seat.ts'

/** A move that an agent said in words and was refused stands in the log and in the history of its task: nobody reads its thread. */
export async function tellRefusal({ station: { desk }, identity: { agent } }: Seat, { task }: MoveSite, detail: string): Promise<void> {
  await desk.driver.transaction(async (tx) => {
    await sayActivity(tx, desk.board_id, { agent, action: 'move_refused', task, detail })
    if (task !== null) await addEvent(tx, desk.board_id, task, { agent, event: 'move_refused', reason: detail })
  })
}

/** How often agents have hung at a task since a person or a planner looked at it; without a task, how often this one has. */
export async function countSilence({ station: { desk }, identity: { agent } }: Seat, { task }: MoveSite, here: number): Promise<number> {
  if (task === null) return here
  const { history } = await desk.driver.transaction((tx) => addEvent(tx, desk.board_id, task, { agent, event: 'agent_silent' }))
  return history.slice(history.findLastIndex(({ event }) => event === 'unblocked') + 1).filter(({ event }) => event === 'agent_silent')
    .length
}

async function addEvent(tx: Driver, boardId: string, taskId: string, { agent, event, ...about }: EventWords): Promise<Task> {
  const was = await needTask(tx, boardId, taskId)
  return (await tasks.replace(tx, was, withEvent(was.item, { by: { role: 'supervisor', id: agent }, event, about }, await tx.now()))).item
}

interface EventWords {
  agent: string
  event: string
  reason?: string
}

import type { TeamRole } from '../../domain/board-agent.ts'
import type { Task } from '../../domain/task.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import type { Shelf } from '../desk.ts'

/** Who takes a task on from where it stands. */
// oxfmt-ignore
const takenOn: Record<TeamRole, readonly Task['status'][]> = {
  planner:       ['DRAFT', 'BLOCKED'],
  coder:         ['UNCLAIMED', 'CLAIMED', 'REJECTED', 'INTEGRATION_FAILED'],
  code_reviewer: ['READY_FOR_REVIEW', 'APPROVED'],
}

/** Whether all that is left waits for roles whose agents are gone: nobody on the board is at work, and nothing will come to those who wait. */
export async function isDeadEnd({ driver, board_id }: Shelf, gone: readonly TeamRole[]): Promise<boolean> {
  if (gone.length === 0) return false
  const now = (await driver.now()).toISOString()
  const alive = (await boardAgents.items(driver, { where: { board_id } })).filter(({ lease_expires }) => lease_expires > now)
  const here = new Set(alive.map(({ role }) => role))
  if (gone.every((role) => here.has(role)) || alive.some(({ status }) => status !== 'IDLE')) return false
  const status = [...here].flatMap((role) => takenOn[role])
  return (await tasks.count(driver, { board_id, status })) === 0
}

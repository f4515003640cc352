import type { BoardAgent, TeamRole } from '../../domain/board-agent.ts'
import { openStates } from '../../domain/task-flow.ts'
import type { Task } from '../../domain/task.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import type { Shelf } from '../desk.ts'

/** Who takes a task on from where it stands. What is APPROVED is merged by whoever supervises. */
// oxfmt-ignore
const takenOn: Record<TeamRole, readonly Task['status'][]> = {
  planner:       ['DRAFT', 'BLOCKED', 'APPROVED'],
  coder:         ['UNCLAIMED', 'CLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'APPROVED'],
  code_reviewer: ['READY_FOR_REVIEW', 'APPROVED'],
}

/** Agents that have nothing in hand: one that has handed in waits for what comes of it. */
const resting: readonly BoardAgent['status'][] = ['IDLE', 'WAITING']

/** Whether all that is left waits for roles that nobody has, of this team or on the board: no one is at work, and nothing will come to those who wait. */
export async function isDeadEnd({ driver, board_id }: Shelf, team: readonly TeamRole[]): Promise<boolean> {
  const now = (await driver.now()).toISOString()
  const alive = (await boardAgents.items(driver, { where: { board_id } })).filter(({ lease_expires }) => lease_expires > now)
  if (alive.some(({ status }) => !resting.includes(status))) return false
  const left = await tasks.items(driver, { where: { board_id, status: openStates } })
  const goesOn = new Set([...team, ...alive.map(({ role }) => role)].flatMap((role) => takenOn[role]))
  return left.length > 0 && !left.some((task) => goesOn.has(task.status) && !waitsForOthers(task))
}

/** Only what it depends on stands between it and a claim; a plan that a person has yet to approve is waited for. */
function waitsForOthers({ status, unmet, plan_approved_by }: Task): boolean {
  return status === 'UNCLAIMED' && unmet > 0 && plan_approved_by !== null
}

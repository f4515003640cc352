import { TeamRole, type BoardAgent } from '../../domain/board/agent.ts'
import type { Board } from '../../domain/board/board.ts'
import { openStates } from '../../domain/board/task-flow.ts'
import type { Task, TaskPlanning, TaskEntry } from '../../domain/board/task.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import type { BoardRef } from '../desk.ts'
import { openCauses, someonePlans } from './planner/causes.ts'

/** Who takes a task on from where it stands. What is APPROVED is merged by whoever supervises. */
// oxfmt-ignore
const takenOn: Record<TeamRole, readonly Task['status'][]> = {
  planner:       ['DRAFT', 'APPROVED'],
  coder:         ['UNCLAIMED', 'CLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'APPROVED'],
  code_reviewer: ['READY_FOR_REVIEW', 'APPROVED'],
}

/** Agents that have nothing in hand: one that has handed in waits for what comes of it. */
const resting: readonly BoardAgent['status'][] = ['IDLE', 'WAITING']

type Member = Pick<BoardAgent, 'role'>

/** What is taken on from elsewhere where a team was not given the role: other processes may bring it, and a person may be planning. */
const mayCome: typeof takenOn = { ...takenOn, planner: ['DRAFT'] }

/**
 * Whether all that is left waits for roles whose agents have stopped, or for a person: no one is at work, and nothing will come to
 * those who wait. A plan that nobody approved is a person's too, unless that person is there (`waitsForApproval`).
 */
export async function isDeadEnd(
  { driver, board_id }: BoardRef,
  given: readonly Member[],
  left: readonly Member[],
  waitsForApproval = false,
): Promise<boolean> {
  const elsewhere = TeamRole.options.filter((role) => !given.some((member) => member.role === role))
  const goesOn = new Set([...elsewhere.flatMap((role) => mayCome[role]), ...left.flatMap(({ role }) => takenOn[role])])
  if ((await tasks.count(driver, { board_id, status: [...goesOn], unmet: 0 })) > 0) return false // as it nearly always is
  const now = (await driver.now()).toISOString()
  const alive = (await boardAgents.items(driver, { where: { board_id } })).filter(({ lease_expires }) => lease_expires > now)
  if (alive.some(({ status }) => !resting.includes(status))) return false
  const { item: board } = await boards.get(driver, board_id)
  const planners = [...left, ...alive].some(({ role }) => role === 'planner')
  const isOpen = (await openCauses(driver, board)).length > 0
  if (planners && (isOpen || (await someonePlans(driver, board_id)))) return false
  const open = await tasks.items(driver, { where: { board_id, status: openStates } })
  if (open.length === 0) return !planners && isOpen && (isPlanned(board) || given.some(({ role }) => role === 'planner'))
  for (const { role } of alive) for (const state of takenOn[role]) goesOn.add(state)
  return !open.some((task) => goesOn.has(task.status) && !waitsForOthers(task, waitsForApproval))
}

function isPlanned({ tasks_added, base_tasks }: Board): boolean {
  return tasks_added > base_tasks
}

/** What it depends on stands between it and a claim, or the approval of a person who is not there. */
function waitsForOthers({ status, unmet, plan_approved_by }: TaskEntry & TaskPlanning, waitsForApproval: boolean): boolean {
  return status === 'UNCLAIMED' && unmet > 0 && (plan_approved_by !== null || !waitsForApproval)
}

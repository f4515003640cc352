import { TeamRole, type BoardAgent } from '../../domain/board/agent.ts'
import type { Board } from '../../domain/board/board.ts'
import { openStates, statesWhere, type TaskState } from '../../domain/board/task-flow.ts'
import type { TaskPlanning, TaskEntry } from '../../domain/board/task.ts'
import { asProblem } from '../../domain/problem.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import type { BoardRef } from '../context.ts'
import { boardOf } from '../find.ts'
import { budgetRefusal } from './budget.ts'
import type { TeamContext } from './context.ts'
import type { MemberRequest } from './member.ts'
import { openCauses, someonePlans } from './planner/causes.ts'
import { superviseAgent, type SupervisionEnd } from './supervise.ts'
import { startBoardUpkeep } from './upkeep/upkeep.ts'
import { tellWaitingPlan } from './waiting-for-person.ts'

export interface TeamRequest {
  members: readonly MemberRequest[]
  /** Ends when the goal is reached, and says that it is; or when those who could go on have stopped. */
  untilDone: boolean
  /** A person is there to approve the plan, so that a team until done waits for that. */
  waitsForApproval?: boolean
}

/** How a team ended: who stopped for what reason, and whether the goal is reached. */
export interface TeamEnd {
  goal: 'IN_PROGRESS' | 'COMPLETED' | 'ABORTED'
  members: SupervisionEnd[]
}

/** The members of a team by their numbers. Each is given the first free id of its role when it starts. */
export function teamOf({ planner, coders, reviewers }: { planner: boolean; coders: number; reviewers: number }): MemberRequest[] {
  return [...seats('planner', planner ? 1 : 0), ...seats('coder', coders), ...seats('code_reviewer', reviewers)]
}

function seats(role: TeamRole, count: number): MemberRequest[] {
  return Array.from({ length: count }, () => ({ role, id: null }))
}

/** Runs several agents in one process until all of them have stopped. One that stops takes nobody with it who has something left to do. */
export async function runTeam(team: TeamContext, request: TeamRequest, signal: AbortSignal): Promise<TeamEnd> {
  const { members, untilDone, waitsForApproval = false } = request
  const { board } = team
  const clerk = startBoardUpkeep(team, { completesGoal: untilDone || members.some(({ role }) => role === 'planner') })
  const stopTelling = tellWaitingPlan(team)
  try {
    const here = [...members]
    const isHopeless = async () => untilDone && isDeadEnd(board, members, here, waitsForApproval)
    const supervise = (member: MemberRequest) =>
      superviseMember(team, member, signal, isHopeless).finally(() => here.splice(here.indexOf(member), 1))
    const settled = await Promise.allSettled(members.map(supervise))
    const ended = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const failed = settled.find((one) => one.status === 'rejected')
    if (failed && ended.length === 0) throw failed.reason
    return { goal: (await boardOf(board)).goal.status, members: ended }
  } finally {
    stopTelling()
    await clerk.stop()
    await team.feed.catchUp() // who stops does so before its last words were read
    team.feed.stop()
  }
}

async function superviseMember(
  team: TeamContext,
  member: MemberRequest,
  signal: AbortSignal,
  isHopeless: () => Promise<boolean>,
): Promise<SupervisionEnd> {
  try {
    const end = await superviseAgent(team, member, signal, isHopeless)
    const detail = end.reason === 'budget' ? await budgetRefusal(team) : undefined
    const ended = detail === undefined ? end : { ...end, detail }
    if (ended.reason !== 'over' && ended.reason !== 'stopped') team.say(`${ended.agent} has stopped: ${whyStopped(ended)}`)
    return ended
  } catch (error) {
    team.say(`${member.id ?? `a ${member.role}`} has stopped: ${asProblem(error).message}`)
    throw error
  }
}

/** Without a plan nobody else has anything to do, and only a person can change that. */
function whyStopped({ reason, detail }: SupervisionEnd): string {
  if (reason !== 'no_plan') return detail ?? reason.replace('_', ' ')
  return 'no plan; add tasks yourself, or end the goal and start it again with a spec'
}

/** The states from which an agent of this role takes a task on. What is approved is merged by the one who supervises. */
function takenOn(role: TeamRole): TaskState[] {
  return statesWhere(({ turn }) => turn === role || turn === 'supervisor')
}

/** Agents that have nothing in hand: one that has handed in waits for what comes of it. */
const resting: readonly BoardAgent['status'][] = ['IDLE', 'WAITING']

type Member = Pick<BoardAgent, 'role'>

/** What is taken on from elsewhere where a team was not given the role: other processes may bring it, and a person may be planning. */
function mayCome(role: TeamRole): TaskState[] {
  return role === 'planner' ? statesWhere(({ turn }) => turn === role) : takenOn(role)
}

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
  const goesOn = new Set([...elsewhere.flatMap((role) => mayCome(role)), ...left.flatMap(({ role }) => takenOn(role))])
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
  for (const { role } of alive) for (const state of takenOn(role)) goesOn.add(state)
  return !open.some((task) => goesOn.has(task.status) && !waitsForOthers(task, waitsForApproval))
}

function isPlanned({ tasks_added, base_tasks }: Board): boolean {
  return tasks_added > base_tasks
}

/** What it depends on stands between it and a claim, or the approval of a person who is not there. */
function waitsForOthers({ status, unmet, plan_approved_by }: TaskEntry & TaskPlanning, waitsForApproval: boolean): boolean {
  return status === 'UNCLAIMED' && unmet > 0 && (plan_approved_by !== null || !waitsForApproval)
}

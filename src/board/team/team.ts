import type { TeamRole } from '../../domain/board/agent.ts'
import { asProblem } from '../../domain/problem.ts'
import { budgetRefusal } from './budget.ts'
import { startBoardUpkeep } from './upkeep/upkeep.ts'
import { isDeadEnd } from './dead-end.ts'
import type { MemberRequest } from './member.ts'
import type { TeamContext } from './context.ts'
import { superviseAgent, type SupervisionEnd } from './supervise.ts'
import { tellWaitingPlan } from './waiting-for-person.ts'
import { boardOf } from '../find.ts'

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

import type { BoardAction } from '../../domain/board/event.ts'
import type { Board } from '../../domain/board/board.ts'
import { claimableStates, heldStates, reviewStates, statesWhere } from '../../domain/board/task-flow.ts'
import type { TeamRole } from '../../domain/board/agent.ts'
import { Problem } from '../../domain/problem.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import { isInTheWay } from '../../worktrees/worktree.ts'
import { isOver, untilResumed } from './work-on-assignment.ts'
import { isLostTask } from './contention.ts'
import { codeNext, type Worked } from './coder/coder.ts'
import { planNext } from './planner/planner.ts'
import { reviewNext } from './reviewer/reviewer.ts'
import { joinTeam, type TeamMember, type MemberRequest } from './member.ts'
import type { TeamContext } from './context.ts'
import { boardOf } from '../find.ts'

/** Why a supervised agent stopped. */
export interface SupervisionEnd {
  agent: string
  reason: Exclude<Worked, 'nothing' | 'worked' | 'handoff' | 'task_budget' | 'unfinished' | 'silent'> | 'idle'
  /** Which budget, and how much of it; or what was in the way last. */
  detail?: string
}

const works: Record<TeamRole, (member: TeamMember) => Promise<Worked>> = { planner: planNext, coder: codeNext, code_reviewer: reviewNext }

/** What brings no work to anyone. */
// oxfmt-ignore
const noise: readonly BoardAction[] = ['run_ended', 'registered', 'restarted', 'claim_failed', 'claimed', 'review_claimed', 'human_note', 'planner_woken', 'planner_rests', 'approved', 'merged']

/** What brings no work to a role. Whatever is not listed wakes it: a look too many costs less than work that waits. */
// oxfmt-ignore
const ignored: Record<TeamRole, readonly BoardAction[]> = {
  planner:       [...noise, 'ready_for_review', 'rejected', 'claimable'],
  coder:         [...noise, 'ready_for_review', 'anomaly', 'discovered', 'task_added'],
  code_reviewer: [...noise, 'rejected', 'claimable', 'anomaly', 'discovered', 'task_added', 'tasks_finalized', 'plan_approved', 'blocked'],
}

/**
 * One agent's life: register, wait for work, have it done, wait again; until the goal is reached, the board is aborted, nothing
 * has come for long or nothing can come, or something is wrong that no restart mends. An agent that handed over comes back as a
 * fresh registration.
 */
export async function superviseAgent(
  team: TeamContext,
  request: MemberRequest,
  signal: AbortSignal,
  isHopeless: () => Promise<boolean> = async () => false,
): Promise<SupervisionEnd> {
  let wanted = request
  for (;;) {
    const member = await joinTeam(team, wanted, signal)
    let ended: SupervisionEnd['reason'] | 'handoff' = 'stopped'
    try {
      ended = await workUntilOver(member, isHopeless)
    } finally {
      await member.leave(ended)
    }
    if (ended !== 'handoff') return { agent: member.identity.agent, reason: ended, ...detailOf(member, ended) }
    wanted = { ...request, id: member.identity.agent }
  }
}

/** What was in the way last, for those ends that say nothing by themselves. */
function detailOf({ trouble }: TeamMember, reason: SupervisionEnd['reason']): Pick<SupervisionEnd, 'detail'> {
  const tells = ['crash_loop', 'claim_failed', 'quota'].includes(reason) && trouble !== null
  return tells ? { detail: `${reason.replace('_', ' ')}: ${trouble}` } : {}
}

async function workUntilOver(member: TeamMember, isHopeless: () => Promise<boolean>): Promise<SupervisionEnd['reason'] | 'handoff'> {
  const { feed } = member.team
  let idleSince = Date.now()
  for (;;) {
    const seen = feed.seen()
    if (member.signal.aborted) return 'stopped'
    const board = await boardOf(member.team.board)
    if (isOver(board)) return 'over'
    if (board.signal !== null) {
      if (!(await untilResumed(member, member.signal))) return member.signal.aborted ? 'stopped' : 'over'
      continue
    }
    const worked = await workOnce(member)
    if (worked === 'nothing') {
      if (Date.now() - idleSince > maxWaitMs(board, member.role) || (await isHopeless())) return 'idle'
      await feed.wait(seen, await untilLook(member, board), member.signal, ignored[member.role])
      continue
    }
    idleSince = Date.now()
    const end = endOf(worked)
    if (end !== null) return end
  }
}

/** A board that is stopped between our look and the claim is not a failure, nor is a task that somebody else has now. */
async function workOnce(member: TeamMember): Promise<Worked> {
  try {
    return await works[member.role](member)
  } catch (error) {
    if (isLostTask(error) || (error instanceof Problem && error.code === 'needs_person')) return 'worked'
    if (member.role === 'coder' && isInTheWay(error)) {
      member.trouble = error.message
      return (await isUnderWay(member)) ? 'nothing' : 'claim_failed'
    }
    if (error instanceof Problem && error.code === 'forbidden') return 'stopped' // another process has our name now
    throw error
  }
}

/** Somebody works on it, and it is not to be claimed again. */
const underWay = statesWhere(({ phase }) => phase === 'in_progress').filter((state) => !claimableStates.includes(state))

/** Whether somebody is at something after which there may be other work than what nobody can begin. */
async function isUnderWay({ team: { board } }: TeamMember): Promise<boolean> {
  const { driver, board_id } = board
  return (await tasks.count(driver, { board_id, status: underWay })) > 0
}

function endOf(worked: Worked): SupervisionEnd['reason'] | 'handoff' | null {
  if (worked === 'nothing' || worked === 'worked' || worked === 'lost' || worked === 'unfinished' || worked === 'task_budget') return null
  if (worked === 'silent') return 'crash_loop'
  return worked
}

function maxWaitMs({ config }: Board, role: TeamRole): number {
  const seconds = { planner: config.planner_max_wait, coder: config.coder_max_wait, code_reviewer: config.reviewer_max_wait }
  return seconds[role] * 1_000
}

/** A lease that runs out is said by nobody, so the next one sets the clock; else we look now and then, in case a line was missed. */
async function untilLook(member: TeamMember, { config }: Board): Promise<number> {
  const polls = { planner: config.planner_poll_interval, coder: config.coder_poll_interval, code_reviewer: config.reviewer_poll_interval }
  const usual = polls[member.role] * 1_000
  const expires = await nextExpiry(member)
  if (expires === null) return usual
  return Math.max(LEAST_MS, Math.min(usual, Date.parse(expires) - (await member.team.board.driver.now()).getTime() + LEAST_MS))
}

const LEAST_MS = 100

/** When what somebody else of this role holds may be free. */
async function nextExpiry({ role, identity, team: { board } }: TeamMember): Promise<string | null> {
  const { driver, board_id } = board
  if (role === 'planner') {
    const others = await boardAgents.items(driver, { where: { board_id } })
    const leases = others.flatMap((other) => (other.role === role && other.id !== identity.agent ? [other.lease_expires] : []))
    const now = (await driver.now()).toISOString()
    return leases.filter((lease) => lease > now).toSorted()[0] ?? null
  }
  const field = role === 'coder' ? 'lease_expires' : 'review_lease_expires'
  const status = role === 'coder' ? heldStates : reviewStates
  const [next] = await tasks.items(driver, { where: { board_id, status, [field]: { above: '' } }, order: [field], limit: 1 })
  return next?.[field] ?? null
}

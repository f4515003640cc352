import type { TeamRole } from '../../domain/board/agent.ts'
import { Problem } from '../../domain/problem.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import { composePrompt } from '../../roles/prompt.ts'
import { boardOf, needTask } from '../find.ts'
import { refuseSignal, claimWithWorktree } from '../task/claim.ts'
import { claimReview } from '../task/review.ts'
import { coderAssignment as taskAttention } from './coder/coder.ts'
import { claimPatiently } from './contention.ts'
import type { TeamContext } from './context.ts'
import { memberRecord, joinTeam, type TeamMember, type MemberRequest } from './member.ts'
import type { MoveAnswer } from './move.ts'
import { makeMove } from './moves.ts'
import type { PlannerCause } from './planner/causes.ts'
import { finishCause, wakePlanner } from './planner/planner.ts'
import { reviewerAssignment as reviewAttention } from './reviewer/reviewer.ts'
import { startBoardUpkeep } from './upkeep/upkeep.ts'
import type { AssignmentContext } from './work-on-assignment.ts'

/** What an agent is given to do. */
export interface AssignmentText {
  task: string | null
  workspace: string
  prompt: string
}

/** A place at the board for an agent that is not started by us: it asks for work and makes its moves, under our id and generation. */
export interface OutsideSession {
  agent: string
  role: TeamRole
  /** The work it has, or the next; null when none came in time. */
  next(waitMs: number): Promise<AssignmentText | null>
  move(name: string, input: unknown): Promise<MoveAnswer>
  leave(reason: string): Promise<void>
}

/** Registers an outside agent and keeps its leases alive; claims are made for it, as for every other. */
export async function openOutsideSession(
  team: TeamContext,
  request: MemberRequest,
  signal: AbortSignal,
  mergePatienceMs?: number,
): Promise<OutsideSession> {
  let member = await joinTeam(team, request, signal)
  const merging = member.role === 'code_reviewer' ? startMerging(team, mergePatienceMs) : null
  let current: { attention: AssignmentContext; cause: PlannerCause | null } | null = null

  async function next(waitMs: number): Promise<AssignmentText | null> {
    if (current !== null && (await isStillAt(member, current.attention))) return orderOf(member, current.attention)
    if (current?.cause) await finishCause(member, current.cause)
    current = null
    if ((await memberRecord(member))?.status === 'HANDOFF') await comeBack()
    const until = Date.now() + waitMs
    for (;;) {
      const seen = team.feed.seen()
      current = await take(member)
      if (current !== null) return orderOf(member, current.attention)
      const left = until - Date.now()
      if (left <= 0 || member.signal.aborted) return null
      await team.feed.wait(seen, left, member.signal)
    }
  }

  /** An agent that handed over is given nothing more; under a fresh registration it may go on. */
  async function comeBack(): Promise<void> {
    await member.leave('handoff')
    member = await joinTeam(team, { ...request, id: member.identity.agent }, signal)
  }

  async function move(name: string, input: unknown): Promise<MoveAnswer> {
    if (current === null) throw new Problem('conflict', `${member.identity.agent} has nothing to do yet; ask for the next assignment first`)
    const { context } = current.attention
    const answer = await makeMove(member.role, context, name, input)
    const approved = isRecord(answer.result) && answer.result['status'] === 'APPROVED'
    if (merging === null || !approved || context.task === null) return answer
    return { ...answer, output: await merging.outcomeOf(context.task, member.signal) }
  }

  async function leave(reason: string): Promise<void> {
    if (current?.cause) await finishCause(member, current.cause)
    await merging?.stop()
    await member.leave(reason)
    team.feed.stop()
  }

  return { agent: member.identity.agent, role: member.role, next, move, leave }
}

async function take(member: TeamMember): Promise<{ attention: AssignmentContext; cause: PlannerCause | null } | null> {
  const { board } = member.team
  refuseSignal(await boardOf(board))
  if (member.role === 'planner') return wakePlanner(member)
  if (member.role === 'coder') {
    const task = await claimPatiently(member, () => claimWithWorktree(board, member.identity))
    return task === null ? null : { attention: await taskAttention(member, claimed(task)), cause: null }
  }
  const review = await claimPatiently(member, () => claimReview(board, member.identity))
  return review === null ? null : { attention: await reviewAttention(member, claimed(review)), cause: null }
}

function claimed<T>(found: T | 'claim_failed'): T {
  if (found !== 'claim_failed') return found
  throw new Problem('busy', 'nothing could be claimed in three tries; the activity of the board says why', {
    next: [{ operation: 'board.list_activity' }],
  })
}

/** A planner stays at its cause until it asks for the next one; the others hold their task on the board. */
async function isStillAt(member: TeamMember, { context }: AssignmentContext): Promise<boolean> {
  return context.task !== null && (await memberRecord(member))?.current_task === context.task
}

async function orderOf({ team, role }: TeamMember, { context, workspace, sections, prompt }: AssignmentContext): Promise<AssignmentText> {
  const text = composePrompt({ role: team.agent.roles.need(role), tools: [], workspace, sections: await sections('shell') })
  return { task: context.task, workspace, prompt: `${text}\n\n${prompt}` }
}

/** A merge with a long test is not waited for to its end: its client would take the silence for a failure. */
const PATIENCE_MS = 20_000

/** What could not be merged is said by the clerk alone, and to nobody who waits for it. */
const LOOK_MS = 200

/** Has approved work merged while an outside reviewer is there, where perhaps nobody else supervises; and tells it what came of its approval. */
export function startMerging(team: TeamContext, patienceMs = PATIENCE_MS) {
  const { board, feed } = team
  let said: string[] = []
  const say = (text: string) => {
    said.push(text)
    team.say(text)
  }
  const clerk = startBoardUpkeep({ ...team, say }, { completesGoal: true })

  async function outcomeOf(task: string, signal: AbortSignal): Promise<string> {
    said = []
    const until = Date.now() + patienceMs
    for (;;) {
      const seen = feed.seen()
      const { status } = (await needTask(board.driver, board.board_id, task)).item
      if (status !== 'APPROVED') return `${task} was approved and is ${status} now`
      const refused = said.find((text) => text.startsWith(`${task} could not be merged`))
      if (refused !== undefined) return `${task} is APPROVED, but ${refused}. It is tried again while you stay connected.`
      const left = until - Date.now()
      if (left <= 0 || signal.aborted) return `${task} is APPROVED and being merged; stay connected until the board says that it is MERGED`
      await feed.wait(seen, Math.min(left, LOOK_MS), signal)
    }
  }

  return { outcomeOf, stop: clerk.stop }
}

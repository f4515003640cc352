import type { TeamRole } from '../../domain/board-agent.ts'
import { Problem } from '../../domain/problem.ts'
import { composePrompt } from '../../roles/prompt.ts'
import { refuseSignal, claimTask } from '../claim.ts'
import { claimReview } from '../review.ts'
import type { Attention } from './attend.ts'
import type { Cause } from './causes.ts'
import { attentionTo as taskAttention } from './coder.ts'
import { claimPatiently } from './contention.ts'
import { makeMove } from './moves.ts'
import type { MoveAnswer } from './move.ts'
import { finishCause, wakePlanner } from './planner.ts'
import { attentionTo as reviewAttention } from './reviewer.ts'
import { entryOf, takeSeat, type Seat, type SeatRequest } from './seat.ts'
import type { Station } from './station.ts'
import { startMerging } from './tell-merge.ts'
import { boardOf } from '../find.ts'

/** What an agent is given to do. */
export interface Order {
  task: string | null
  workspace: string
  prompt: string
}

/** A place at the board for an agent that is not started by us: it asks for work and makes its moves, under our id and generation. */
export interface Post {
  agent: string
  role: TeamRole
  /** The work it has, or the next; null when none came in time. */
  next(waitMs: number): Promise<Order | null>
  move(name: string, input: unknown): Promise<MoveAnswer>
  leave(reason: string): Promise<void>
}

/** Registers an outside agent and keeps its leases alive; claims are made for it, as for every other. */
export async function openPost(station: Station, request: SeatRequest, signal: AbortSignal, mergePatienceMs?: number): Promise<Post> {
  let seat = await takeSeat(station, request, signal)
  const merging = seat.role === 'code_reviewer' ? startMerging(station, mergePatienceMs) : null
  let current: { attention: Attention; cause: Cause | null } | null = null

  async function next(waitMs: number): Promise<Order | null> {
    if (current !== null && (await isStillAt(seat, current.attention))) return orderOf(seat, current.attention)
    if (current?.cause) await finishCause(seat, current.cause)
    current = null
    if ((await entryOf(seat))?.status === 'HANDOFF') await comeBack()
    const until = Date.now() + waitMs
    for (;;) {
      const seen = station.bulletin.seen()
      current = await take(seat)
      if (current !== null) return orderOf(seat, current.attention)
      const left = until - Date.now()
      if (left <= 0 || seat.signal.aborted) return null
      await station.bulletin.wait(seen, left, seat.signal)
    }
  }

  /** An agent that handed over is given nothing more; under a fresh registration it may go on. */
  async function comeBack(): Promise<void> {
    await seat.leave('handoff')
    seat = await takeSeat(station, { ...request, id: seat.identity.agent }, signal)
  }

  async function move(name: string, input: unknown): Promise<MoveAnswer> {
    if (current === null) throw new Problem('conflict', `${seat.identity.agent} has nothing to do yet; ask for the next assignment first`)
    const { site } = current.attention
    const answer = await makeMove(seat.role, site, name, input)
    if (merging === null || answer.approved !== true || site.task === null) return answer
    return { ...answer, output: await merging.outcomeOf(site.task, seat.signal) }
  }

  async function leave(reason: string): Promise<void> {
    if (current?.cause) await finishCause(seat, current.cause)
    await merging?.stop()
    await seat.leave(reason)
    station.bulletin.stop()
  }

  return { agent: seat.identity.agent, role: seat.role, next, move, leave }
}

async function take(seat: Seat): Promise<{ attention: Attention; cause: Cause | null } | null> {
  const { desk } = seat.station
  refuseSignal(await boardOf(desk))
  if (seat.role === 'planner') return wakePlanner(seat)
  if (seat.role === 'coder') {
    const task = await claimPatiently(seat, () => claimTask(desk, seat.identity))
    return task === null ? null : { attention: await taskAttention(seat, claimed(task)), cause: null }
  }
  const review = await claimPatiently(seat, () => claimReview(desk, seat.identity))
  return review === null ? null : { attention: await reviewAttention(seat, claimed(review)), cause: null }
}

function claimed<T>(found: T | 'claim_failed'): T {
  if (found !== 'claim_failed') return found
  throw new Problem('busy', 'nothing could be claimed in three tries; troupe board log says why')
}

/** A planner stays at its cause until it asks for the next one; the others hold their task on the board. */
async function isStillAt(seat: Seat, { site }: Attention): Promise<boolean> {
  return site.task !== null && (await entryOf(seat))?.current_task === site.task
}

async function orderOf({ station, role }: Seat, { site, workspace, sections, prompt }: Attention): Promise<Order> {
  const text = composePrompt({ role: station.agent.roles.need(role), tools: [], workspace, sections: await sections('shell') })
  return { task: site.task, workspace, prompt: `${text}\n\n${prompt}` }
}

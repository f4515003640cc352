import type { PlainAction } from '../../domain/board/event.ts'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { TaskId, TaskRecord, type Task, type TaskEntry, type TaskClaim, type TaskReview } from '../../domain/board/task.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { recordActivity } from '../activity.ts'
import type { RecordsContext, Actor, BoardRef } from '../context.ts'
import { hasExpired } from '../../domain/lease.ts'
import { freeAgent, moveTask, refuseOtherHolder, refuseMove, withoutClaim, withoutReview, tellTask } from './move.ts'
import { actOn, type KnownActor } from '../agent/known-actor.ts'

export interface ReleaseRequest {
  reason: string
  /** Also from somebody whose lease still runs. Only a person may ask for it. */
  force?: boolean
  /** Nobody could begin under this claim, so it does not count as an iteration. */
  unbegun?: boolean
}

const leftToSupervisor = 'the supervising process gives back what an agent leaves'

/** Whoever holds it gives it back at any time, a person once its lease has run out or by force. The worktree stays. */
export const releaseTask = defineOperation({
  name: 'board.release_task',
  summary: 'Give a claim back, or take an expired one away',
  by: ['person', 'coder', 'code_reviewer'],
  effect: 'change',
  command: 'board release <task>',
  input: z.strictObject({
    task: TaskId,
    reason: NonBlank.max(4_000).describe('why'),
    force: z.boolean().default(false).describe('also while its lease still runs; only a person may'),
    review: z.boolean().default(false).describe('the claim of its review'),
  }),
  output: TaskRecord,
  example: { task: 'task-1', reason: 'coder-1 is gone', force: true },
  absent: { agent: leftToSupervisor, mcp: leftToSupervisor },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: async (context: RecordsContext, { task, review, ...request }) =>
    (review ? releaseReview : releaseClaim)(context, context.actor, task, request),
})

/** Gives a claim back: by the coder that holds it, or by a person once its lease has run out. The worktree stays. */
export async function releaseClaim(board: BoardRef, actor: Actor, taskId: string, request: ReleaseRequest): Promise<Task> {
  return giveBack(board, actor, taskId, request, {
    held: 'assigned_to',
    action: request.unbegun === true ? 'claim_failed' : 'released',
    free: freeTask,
  })
}

/** Gives a review back, so that another reviewer may take it at once. */
export async function releaseReview(board: BoardRef, actor: Actor, taskId: string, request: ReleaseRequest): Promise<Task> {
  return giveBack(board, actor, taskId, request, { held: 'reviewing_by', action: 'stale_review_cleared', free: freeReview })
}

interface Holding {
  held: 'assigned_to' | 'reviewing_by'
  action: PlainAction
  /** Refuses anyone who may not, and writes the task without its holder. */
  free: (tx: Driver, was: Stored<Task>, who: KnownActor, request: ReleaseRequest) => Promise<Stored<Task>>
}

async function giveBack(board: BoardRef, actor: Actor, taskId: string, request: ReleaseRequest, { held, action, free }: Holding) {
  return actOn(board, actor, taskId, async (tx, who, was) => {
    const freed = await free(tx, was, who, request)
    await freeAgent(tx, was.item, was.item[held])
    await recordActivity(tx, board.board_id, { agent: who.id, action, task: taskId, detail: request.reason })
    return freed.item
  })
}

async function freeTask(tx: Driver, was: Stored<Task>, who: KnownActor, { reason, force, unbegun }: ReleaseRequest): Promise<Stored<Task>> {
  const by = { role: who.role === 'human' ? 'human' : 'supervisor', id: who.id } as const
  refuseMove(was.item, 'release', by)
  if (who.agent !== null) refuseOtherHolder(was.item, who)
  else if (force !== true) await mustHaveExpired(tx, was.item)
  const iteration = unbegun === true ? (was.item.iteration ?? 0) - 1 || null : was.item.iteration
  const step = { move: 'release', by, event: 'coder_claim_released', about: { reason } } as const
  return moveTask(tx, was, step, { ...withoutClaim, assigned_to: null, iteration })
}

async function freeReview(tx: Driver, was: Stored<Task>, who: KnownActor, { reason, force }: ReleaseRequest): Promise<Stored<Task>> {
  const { id, reviewing_by, review_lease_expires } = was.item
  if (reviewing_by === null) throw new Problem('conflict', `nobody reviews ${id}, so there is no review to give back`)
  const now = await tx.now()
  if (!mayGiveBack(was.item, who) && !(force === true && who.role === 'human') && !hasExpired(review_lease_expires, now)) {
    throw new Problem(
      'forbidden',
      `${id} is under review by ${reviewing_by} until ${review_lease_expires}; wait for that, or take it away by force as a person`,
      { next: [{ operation: 'board.release_task', input: { task: id, review: true, force: true, reason: 'WHY' } }] },
    )
  }
  const event = { by: who, event: 'review_claim_released', about: { reason }, now } as const
  return tellTask(tx, was, event, withoutReview)
}

function mayGiveBack(task: TaskReview, { agent }: KnownActor): boolean {
  return agent !== null && task.reviewing_by === agent.item.id && task.review_generation === agent.item.generation
}

async function mustHaveExpired(tx: Driver, { id, assigned_to, lease_expires }: TaskEntry & TaskClaim): Promise<void> {
  if (hasExpired(lease_expires, await tx.now())) return
  throw new Problem('confirmation_required', `${assigned_to} holds ${id} until ${lease_expires}; it can be taken away by force`, {
    next: [{ operation: 'board.release_task', input: { task: id, force: true, reason: 'WHY' } }],
  })
}

import { boardKey } from '../domain/board.ts'
import { Problem } from '../domain/problem.ts'
import type { Task } from '../domain/task.ts'
import type { Driver } from '../store/driver.ts'
import { tasks } from '../store/tables.ts'
import { sayActivity } from './activity.ts'
import type { Actor, Desk } from './desk.ts'
import { needTask } from './find.ts'
import { hasExpired } from './lease.ts'
import { freeAgent, moveTask, mustHold, mustMove, withEvent } from './move.ts'
import { standingOf, type Standing } from './standing.ts'

export interface ReleaseRequest {
  reason: string
  /** Also from somebody whose lease still runs. Only a person may ask for it. */
  force?: boolean
}

/** Gives a claim back: by the coder that holds it, or by a person once its lease has run out. The worktree stays. */
export async function releaseTask(
  desk: Pick<Desk, 'driver' | 'board_id'>,
  actor: Actor,
  taskId: string,
  request: ReleaseRequest,
): Promise<Task> {
  return desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, actor)
    const was = await needTask(tx, desk.board_id, taskId)
    const by = { role: who.role === 'human' ? 'human' : 'supervisor', id: who.id } as const
    mustMove(was.item, 'release', by)
    if (who.agent !== null) mustHold(was.item, who)
    else if (request.force !== true) await mustHaveExpired(tx, was.item)
    const released = await moveTask(
      tx,
      was,
      { move: 'release', by, event: 'coder_claim_released', about: { reason: request.reason } },
      { assigned_to: null, claim_generation: null, lease_expires: null },
    )
    await freeAgent(tx, was.item.assigned_to === null ? null : boardKey({ board_id: desk.board_id, id: was.item.assigned_to }), taskId)
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'released', task: taskId, detail: request.reason })
    return released.item
  })
}

/** Gives a review back, so that another reviewer may take it at once. */
export async function releaseReview(
  desk: Pick<Desk, 'driver' | 'board_id'>,
  actor: Actor,
  taskId: string,
  request: ReleaseRequest,
): Promise<Task> {
  return desk.driver.transaction(async (tx) => {
    const who = await standingOf(tx, desk.board_id, actor)
    const was = await needTask(tx, desk.board_id, taskId)
    const { reviewing_by, review_lease_expires } = was.item
    if (reviewing_by === null) throw new Problem('conflict', `nobody reviews ${taskId}, so there is no review to give back`)
    const now = await tx.now()
    if (!mayGiveBack(was.item, who) && !(request.force === true && who.role === 'human') && !hasExpired(review_lease_expires, now)) {
      throw new Problem(
        'forbidden',
        `${taskId} is under review by ${reviewing_by} until ${review_lease_expires}; wait for that, or take it away as a person with --force`,
      )
    }
    const event = { by: who, event: 'review_claim_released', about: { reason: request.reason } }
    const freed = { ...was.item, reviewing_by: null, review_generation: null, review_lease_expires: null }
    const released = await tasks.replace(tx, was, withEvent(freed, event, now))
    await freeAgent(tx, boardKey({ board_id: desk.board_id, id: reviewing_by }), taskId)
    await sayActivity(tx, desk.board_id, { agent: who.id, action: 'stale_review_cleared', task: taskId, detail: request.reason })
    return released.item
  })
}

function mayGiveBack(task: Task, { agent }: Standing): boolean {
  return agent !== null && task.reviewing_by === agent.item.id && task.review_generation === agent.item.generation
}

async function mustHaveExpired(tx: Driver, { id, assigned_to, lease_expires }: Task): Promise<void> {
  if (hasExpired(lease_expires, await tx.now())) return
  throw new Problem('confirmation_required', `${assigned_to} holds ${id} until ${lease_expires}; add --force to take it away`)
}

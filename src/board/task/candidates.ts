import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import type { TaskEntry, TaskPlan, TaskPlanning, TaskClaim, TaskReview } from '../../domain/board/task.ts'
import type { Identity } from '../desk.ts'
import { hasExpired } from '../../domain/lease.ts'

/** Why this coder may not take a task now; null when it may. */
export function whyNotClaimable(
  task: TaskEntry & TaskPlan & TaskPlanning & TaskClaim,
  { agent, generation }: Identity,
  now: Date,
): Problem | null {
  nextState(taskFlow, task.status, task.status === 'CLAIMED' ? 'reclaim' : 'claim', 'supervisor')
  const { id, plan_approved_by, unmet, depends_on, assigned_to, status, claim_generation, lease_expires } = task
  if (plan_approved_by === null) {
    return new Problem('needs_person', `${id} may not be claimed before a person approves the plan`, {
      next: [{ operation: 'board.approve_plan', input: { tasks: [id] } }],
    })
  }
  if (unmet > 0) return new Problem('conflict', `${id} depends on ${depends_on.join(', ')}, and not all of it is merged yet`)
  const held = status === 'CLAIMED' || status === 'REJECTED'
  // Sent back to this coder, or claimed by an earlier registration of it.
  const own = assigned_to === agent && (status === 'REJECTED' || claim_generation !== generation)
  if (!held || own || hasExpired(lease_expires, now)) return null
  if (status === 'REJECTED') {
    return new Problem('conflict', `${id} was sent back to ${assigned_to}, for whom it is kept until ${lease_expires}; take another one`)
  }
  return inOtherHands(`${assigned_to} holds ${id} until ${lease_expires}`, { task: id })
}

/** Why this reviewer may not review a task now; null when it may. */
export function whyNotReviewable(task: TaskEntry & TaskReview, { agent, generation }: Identity, now: Date): Problem | null {
  const { id, status, reviewing_by, review_generation, review_lease_expires } = task
  if (status !== 'READY_FOR_REVIEW') {
    return new Problem('move_refused', `${id} is ${status}; only a task that is READY_FOR_REVIEW can be reviewed`)
  }
  const own = reviewing_by === agent && review_generation !== generation
  // A reviewer without a lease counts as busy: nobody can say that it is gone.
  if (reviewing_by === null || own || (review_lease_expires !== null && hasExpired(review_lease_expires, now))) return null
  return inOtherHands(`${id} is under review by ${reviewing_by} until ${review_lease_expires}`, { task: id, review: true })
}

function inOtherHands(said: string, claim: { task: string; review?: true }): Problem {
  return new Problem('conflict', `${said}; take another one, or have a person take this one away`, {
    next: [{ operation: 'board.release_task', input: { ...claim, force: true, reason: 'WHY' } }],
  })
}

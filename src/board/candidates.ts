import { next } from '../domain/flow.ts'
import { Problem } from '../domain/problem.ts'
import { taskFlow } from '../domain/task-flow.ts'
import type { Task } from '../domain/task.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { tasks } from '../store/tables.ts'
import type { Identity } from './desk.ts'
import { hasExpired } from './lease.ts'

/**
 * Each part finds its first row by an index of its own. The states are spelt out, because only then an index of some states is used, and
 * nulls come as they do in the index, or PostgreSQL would sort the whole board.
 */
// oxfmt-ignore
const free = (status: 'UNCLAIMED' | 'INTEGRATION_FAILED') => `
  select * from (select id, 2 as turn, priority, number from tasks
  where board_id = $1 and status = '${status}' and unmet = 0 order by priority nulls first, number nulls first limit 1) ${status}`
const candidatesSql = `
  select id from (
    select id, case status when 'CLAIMED' then 0 else 1 end as turn, priority, number from tasks
    where board_id = $1 and assigned_to = $2 and status in ('CLAIMED', 'REJECTED')
    union all ${free('UNCLAIMED')} union all ${free('INTEGRATION_FAILED')}
    union all
    select * from (select id, 2 as turn, priority, number from tasks
    where board_id = $1 and status in ('CLAIMED', 'REJECTED') and lease_expires < $3 order by lease_expires limit 1) expired
  ) candidates order by turn, priority, number`

const reviewsSql = `
  select id from (
    select id, 0 as turn, priority, number from tasks
    where board_id = $1 and reviewing_by = $2 and status = 'READY_FOR_REVIEW'
    union all
    select * from (select id, 1 as turn, priority, number from tasks
    where board_id = $1 and reviewing_by is null and status = 'READY_FOR_REVIEW' order by priority, number limit 1) waiting
    union all
    select * from (select id, 1 as turn, priority, number from tasks
    where board_id = $1 and review_lease_expires < $3 and status = 'READY_FOR_REVIEW' order by review_lease_expires limit 1) expired
  ) candidates order by turn, priority, number`

/** What a coder left unfinished comes first, then what was sent back to it, then the lowest priority number, then the oldest. */
export async function nextClaimable(tx: Driver, boardId: string, identity: Identity, now: Date): Promise<Stored<Task> | null> {
  return first(tx, candidatesSql, [boardId, identity.agent, now.toISOString()], (task) => whyNotClaimable(task, identity, now))
}

/** The next review in the same order; one that this reviewer left unfinished comes first. */
export async function nextReview(tx: Driver, boardId: string, identity: Identity, now: Date): Promise<Stored<Task> | null> {
  return first(tx, reviewsSql, [boardId, identity.agent, now.toISOString()], (task) => whyNotReviewable(task, identity, now))
}

async function first(tx: Driver, sql: string, params: unknown[], whyNot: (task: Task) => Problem | null): Promise<Stored<Task> | null> {
  for (const { id } of await tx.query<{ id: string }>(sql, params)) {
    const found = await tasks.get(tx, id)
    if (whyNot(found.item) === null) return found
  }
  return null
}

/** Why this coder may not take a task now; null when it may. */
export function whyNotClaimable(task: Task, { agent, generation }: Identity, now: Date): Problem | null {
  next(taskFlow, task.status, task.status === 'CLAIMED' ? 'reclaim' : 'claim', 'supervisor')
  const { id, plan_approved_by, unmet, depends_on, assigned_to, status, claim_generation, lease_expires } = task
  if (plan_approved_by === null) {
    return new Problem('needs_person', `${id} may not be claimed before a person approved the plan; troupe board approve-plan does`)
  }
  if (unmet > 0) return new Problem('conflict', `${id} depends on ${depends_on.join(', ')}, and not all of it is merged yet`)
  const held = status === 'CLAIMED' || status === 'REJECTED'
  // Sent back to this coder, or claimed by an earlier registration of it.
  const own = assigned_to === agent && (status === 'REJECTED' || claim_generation !== generation)
  if (!held || own || hasExpired(lease_expires, now)) return null
  return new Problem('conflict', `${id} is in the hands of ${assigned_to} until ${lease_expires}`)
}

/** Why this reviewer may not review a task now; null when it may. */
export function whyNotReviewable(task: Task, { agent, generation }: Identity, now: Date): Problem | null {
  const { id, status, reviewing_by, review_generation, review_lease_expires } = task
  if (status !== 'READY_FOR_REVIEW') {
    return new Problem('move_refused', `${id} is ${status}; only a task that is READY_FOR_REVIEW can be reviewed`)
  }
  const own = reviewing_by === agent && review_generation !== generation
  // A reviewer without a lease counts as busy: nobody can say that it is gone.
  if (reviewing_by === null || own || (review_lease_expires !== null && hasExpired(review_lease_expires, now))) return null
  return new Problem('conflict', `${id} is under review by ${reviewing_by} until ${review_lease_expires}`)
}

import { next } from '../domain/flow.ts'
import { Problem } from '../domain/problem.ts'
import { taskFlow } from '../domain/task-flow.ts'
import type { Task } from '../domain/task.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { tasks } from '../store/tables.ts'
import type { Identity } from './desk.ts'
import { hasExpired } from './lease.ts'

/** What a coder left unfinished comes first, then the lowest priority number, then the oldest; each found by an index. */
export async function nextClaimable(tx: Driver, boardId: string, identity: Identity, now: Date): Promise<Stored<Task> | null> {
  const own = await unfinished(tx, boardId, identity)
  if (own !== null) return own
  const first = { order: ['priority', 'number'], limit: 1 } as const
  const expired = { lease_expires: { below: now.toISOString() } }
  const found = [
    await tasks.list(tx, { where: { board_id: boardId, status: 'UNCLAIMED', unmet: 0 }, ...first }),
    await tasks.list(tx, { where: { board_id: boardId, status: 'INTEGRATION_FAILED', unmet: 0 }, ...first }),
    await tasks.list(tx, { where: { board_id: boardId, status: 'CLAIMED', ...expired }, order: ['lease_expires'], limit: 1 }),
    await tasks.list(tx, { where: { board_id: boardId, status: 'REJECTED', ...expired }, order: ['lease_expires'], limit: 1 }),
  ]
  return found.flat().toSorted((one, other) => urgency(one.item, other.item))[0] ?? null
}

/** Refuses a task that this coder may not take now, and says why. */
export function claimable(task: Task, identity: Identity, now: Date): void {
  next(taskFlow, task.status, task.status === 'CLAIMED' ? 'reclaim' : 'claim', 'supervisor')
  if (task.plan_approved_by === null) {
    throw new Problem('needs_person', `${task.id} may not be claimed before a person approved the plan; troupe board approve-plan does`)
  }
  if (task.unmet > 0) {
    throw new Problem('conflict', `${task.id} depends on ${task.depends_on.join(', ')}, and not all of it is merged yet`)
  }
  const held = task.status === 'CLAIMED' || task.status === 'REJECTED'
  if (held && !isOwnLeftover(task, identity) && !hasExpired(task.lease_expires, now)) {
    throw new Problem('conflict', `${task.id} is in the hands of ${task.assigned_to} until ${task.lease_expires}`)
  }
}

async function unfinished(tx: Driver, boardId: string, identity: Identity): Promise<Stored<Task> | null> {
  const own = await tasks.list(tx, {
    where: { board_id: boardId, assigned_to: identity.agent, status: ['CLAIMED', 'REJECTED'] },
    order: ['priority', 'number'],
  })
  return own.find(({ item }) => isOwnLeftover(item, identity)) ?? null
}

/** Sent back to this coder, or claimed by an earlier registration of it. */
function isOwnLeftover(task: Task, { agent, generation }: Identity): boolean {
  return task.assigned_to === agent && (task.status === 'REJECTED' || task.claim_generation !== generation)
}

function urgency(one: Task, other: Task): number {
  return one.priority - other.priority || one.number - other.number
}

import type { BoardAgent } from '../../domain/board/agent.ts'
import { type BoardSignal, boardKey } from '../../domain/board/board.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import type { BoardWorkspace, Identity } from '../context.ts'
import { leaseFrom } from '../../domain/lease.ts'
import { prepareWorktree, worktreeIsThere } from '../worktree/prepare.ts'
import { needAgent } from './known-actor.ts'
import { changeTask } from '../task/move.ts'

/** What an agent learns from its heartbeat. */
export interface HeartbeatResult {
  agent: BoardAgent
  /** The task it holds or reviews; null when it has none, or has lost it and must stop. */
  task: Task | null
  signal: BoardSignal | null
}

/**
 * Renews the leases of an agent, of its task and of its review in one transaction, and repairs a worktree that is missing;
 * not while a claim is still at laying it out, however long that takes: two would do it at once.
 */
export async function heartbeat(
  context: BoardWorkspace,
  identity: Identity,
  context_percent?: number,
  claiming = false,
): Promise<HeartbeatResult> {
  const pulse = await context.driver.transaction(async (tx) => {
    const { item: board } = await boards.get(tx, context.board_id)
    const was = await needAgent(tx, board.id, identity)
    const now = await tx.now()
    const lease = leaseFrom(now, board.config.lease_duration)
    const task = await renewTask(tx, board.id, was.item, lease)
    if (was.item.role === 'coder') await renewReserved(tx, board.id, identity.agent, lease)
    const agent = await boardAgents.replace(tx, was, {
      ...was.item,
      lease_expires: lease,
      heartbeat: now.toISOString(),
      context_percent: context_percent ?? was.item.context_percent,
    })
    return { agent: agent.item, task, signal: board.signal }
  })
  if (claiming || pulse.task?.status !== 'CLAIMED' || worktreeIsThere(context, pulse.task)) return pulse
  return { ...pulse, task: await prepareWorktree(context, identity, pulse.task) }
}

async function renewTask(tx: Driver, boardId: string, agent: BoardAgent, lease: string): Promise<Task | null> {
  if (agent.current_task === null) return null
  const was = await tasks.find(tx, boardKey({ board_id: boardId, id: agent.current_task }))
  if (was === null) return null
  const { item } = was
  if (item.status === 'CLAIMED' && item.assigned_to === agent.id && item.claim_generation === agent.generation) {
    return (await changeTask(tx, was, { lease_expires: lease })).item
  }
  if (item.status === 'READY_FOR_REVIEW' && item.reviewing_by === agent.id && item.review_generation === agent.generation) {
    return (await changeTask(tx, was, { review_lease_expires: lease })).item
  }
  return null
}

/** What was sent back to a coder waits for it as long as it lives. */
async function renewReserved(tx: Driver, boardId: string, coder: string, lease: string): Promise<void> {
  const reserved = await tasks.list(tx, { where: { board_id: boardId, assigned_to: coder, status: 'REJECTED' } })
  for (const was of reserved) await changeTask(tx, was, { lease_expires: lease })
}

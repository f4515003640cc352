import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../desk.ts'
import { hasExpired } from '../task/lease.ts'
import { releaseReview, releaseClaim } from '../task/release.ts'

export interface FreeRequest {
  reason: string
  /** Also while its lease still runs: only a person knows that its process is gone. */
  force?: boolean
}

/** Frees the id of an agent whose process is gone, and what it held, without waiting for its lease. Only a person may. */
export async function freeAgentId(board: BoardRef, human: string, id: string, { reason, force = false }: FreeRequest): Promise<string[]> {
  return board.driver.transaction(async (tx) => {
    const was = await boardAgents.find(tx, boardKey({ board_id: board.board_id, id }))
    if (was === null) throw new Problem('not_found', `${id} is not on this board, so its id is free`)
    const { lease_expires } = was.item
    if (!force && !hasExpired(lease_expires, await tx.now())) {
      const way = `add --force --reason WHY where its process is gone`
      throw new Problem('confirmation_required', `${id} is alive until ${lease_expires}; ${way}`, { details: { agent: id, lease_expires } })
    }
    if (force && reason.trim() === '') throw new Problem('bad_input', `say why ${id} is freed while its lease still runs: --reason WHY`)
    const freed = await releaseAll({ ...board, driver: tx }, human, id, reason || 'its lease ran out')
    const left = await boardAgents.get(tx, boardKey({ board_id: board.board_id, id }))
    await boardAgents.remove(tx, left)
    const held = freed.length === 0 ? '' : `; ${freed.join(', ')} may be taken again`
    await recordActivity(tx, board.board_id, {
      agent: human,
      action: 'agent_freed',
      detail: `${id}: ${reason || 'its lease ran out'}${held}`,
    })
    return freed
  })
}

/** What the agent held, by the tasks themselves: its own entry may say less. */
async function releaseAll(board: BoardRef, human: string, id: string, why: string): Promise<string[]> {
  const reason = `${id} was freed: ${why}`
  const held = await heldBy(board.driver, board.board_id, id)
  for (const { task, review } of held) await (review ? releaseReview : releaseClaim)(board, { human }, task, { reason, force: true })
  return held.map(({ task }) => task)
}

async function heldBy(tx: Driver, board_id: string, id: string): Promise<{ task: string; review: boolean }[]> {
  const claimed = await tasks.items(tx, { where: { board_id, assigned_to: id, status: 'CLAIMED' } })
  const reviewed = await tasks.items(tx, { where: { board_id, reviewing_by: id, status: 'READY_FOR_REVIEW' } })
  return [...claimed.map((task) => ({ task: task.id, review: false })), ...reviewed.map((task) => ({ task: task.id, review: true }))]
}

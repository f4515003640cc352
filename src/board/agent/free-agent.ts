import * as z from 'zod'
import { AgentId } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RecordsContext } from '../context.ts'
import type { BoardRef } from '../desk.ts'
import { hasExpired } from '../../domain/lease.ts'
import { releaseReview, releaseClaim } from '../task/release.ts'

/** Without waiting for its lease: only a person knows that its process is gone. */
export const freeAgentId = defineOperation({
  name: 'board.free_agent',
  summary: 'Free the id of an agent whose process is gone, and what it held',
  by: ['person'],
  effect: 'change',
  command: 'board free-agent <agent>',
  input: z.strictObject({
    agent: AgentId,
    force: z.boolean().default(false).describe('also while its lease still runs'),
    reason: z.string().max(4_000).default('').describe('why'),
  }),
  output: z.object({ agent: z.string(), tasks: z.array(z.string()) }),
  example: { agent: 'coder-1', force: true, reason: 'its terminal was closed' },
  tell: ({ agent, tasks: freed }) => `${agent} is free.${freed.length === 0 ? '' : ` Given back: ${freed.join(', ')}.`}`,
  run: async (context: RecordsContext, { agent: id, force, reason }) => {
    const human = needPerson(context.actor)
    return context.driver.transaction(async (tx) => {
      await mayBeFreed(tx, context.board_id, { id, force, reason })
      const why = reason.trim() === '' ? 'its lease ran out' : reason
      const freed = await releaseAll({ ...context, driver: tx }, human, id, why)
      await boardAgents.remove(tx, await boardAgents.get(tx, boardKey({ board_id: context.board_id, id })))
      const held = freed.length === 0 ? '' : `; ${freed.join(', ')} may be taken again`
      await recordActivity(tx, context.board_id, { agent: human, action: 'agent_freed', detail: `${id}: ${why}${held}` })
      return { agent: id, tasks: freed }
    })
  },
})

async function mayBeFreed(tx: Driver, board_id: string, { id, force, reason }: { id: string; force: boolean; reason: string }) {
  const was = await boardAgents.find(tx, boardKey({ board_id, id }))
  if (was === null) throw new Problem('not_found', `${id} is not on this board, so its id is free`)
  const { lease_expires } = was.item
  if (!force && !hasExpired(lease_expires, await tx.now())) {
    throw new Problem('confirmation_required', `${id} is alive until ${lease_expires}; free it by force where its process is gone`, {
      details: { agent: id, lease_expires },
      next: [{ operation: 'board.free_agent', input: { agent: id, force: true, reason: 'WHY' } }],
    })
  }
  if (force && reason.trim() === '') throw new Problem('bad_input', `say why ${id} is freed while its lease still runs`)
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

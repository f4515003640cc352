import * as z from 'zod'
import { agentId, BoardAgent, roleOfAgent, type TeamRole, AgentId } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { hasExpired, leaseFrom } from '../../domain/lease.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, tasks } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { type Identity, type BoardRef, needIdentity, type RecordsContext, needPerson } from '../context.ts'
import { needTask } from '../find.ts'
import { moveAgent } from '../task/move.ts'
import { releaseReview, releaseClaim } from '../task/release.ts'
import { needAgent } from './known-actor.ts'

export type RegisterRequest = { terminal?: string | undefined } & ({ id: string } | { role: TeamRole })

/**
 * Registers an agent under its id, or under the first free id of a role. Nobody else's entry is touched: an id that is
 * in use is refused, and one whose lease has run out passes to the newcomer with a new generation.
 */
export async function registerAgent(board: BoardRef, request: RegisterRequest): Promise<Identity> {
  const generation = crypto.randomUUID()
  const id = await board.driver.transaction(async (tx) => {
    const now = await tx.now()
    const { config } = (await boards.get(tx, board.board_id)).item
    const chosen = 'id' in request ? request.id : await freeId(tx, board.board_id, request.role, now)
    const agent = BoardAgent.parse({
      id: chosen,
      board_id: board.board_id,
      role: roleOfAgent(chosen),
      status: 'STARTING',
      generation,
      lease_expires: leaseFrom(now, config.lease_duration),
      heartbeat: now.toISOString(),
      terminal: request.terminal,
    })
    await enter(tx, agent, now)
    await recordActivity(tx, board.board_id, { agent: chosen, action: 'registered', detail: `as ${agent.role}` })
    return chosen
  })
  return { agent: id, generation }
}

/** The agent has looked around and is ready for work. */
export async function agentReady(board: BoardRef, identity: Identity): Promise<BoardAgent> {
  return board.driver.transaction(async (tx) => (await moveAgent(tx, await needAgent(tx, board.board_id, identity), 'start')).item)
}

async function enter(tx: Driver, agent: BoardAgent, now: Date): Promise<void> {
  const was = await boardAgents.find(tx, boardKey(agent))
  if (was === null) return void (await boardAgents.add(tx, agent))
  const { lease_expires, iterations_total } = was.item
  if (!hasExpired(lease_expires, now)) {
    throw new Problem('conflict', `${agent.id} is registered and alive until ${lease_expires}; choose another id, or stop that one first`, {
      details: { agent: agent.id, lease_expires },
    })
  }
  await boardAgents.replace(tx, was, { ...agent, iterations_total })
}

/** The lowest number whose entry is absent or has run out. */
async function freeId(tx: Driver, boardId: string, role: TeamRole, now: Date): Promise<string> {
  const listed = await boardAgents.items(tx, { where: { board_id: boardId } })
  const taken = new Set(listed.flatMap(({ id, lease_expires }) => (hasExpired(lease_expires, now) ? [] : [id])))
  let number = 1
  while (taken.has(agentId(role, number))) number += 1
  return agentId(role, number)
}

const leftBySupervisor = 'the supervising process takes the entry of its agents away'

/** At a terminal, where the registration of an agent outlives its commands. */
export const leaveTeam = defineOperation({
  name: 'board.leave',
  summary: 'Give back what an agent holds and take its entry away',
  by: ['planner', 'coder', 'code_reviewer'],
  effect: 'change',
  command: 'board leave',
  absent: { agent: leftBySupervisor, mcp: leftBySupervisor },
  input: z.strictObject({}),
  output: z.object({ left: z.string() }),
  example: {},
  tell: ({ left }) => `${left} has left.`,
  run: async (context: RecordsContext) => {
    const identity = needIdentity(context.actor)
    await leaveBoard(context, identity, 'left by hand')
    return { left: identity.agent }
  },
})

/** An agent that stops in good order gives back what it holds and takes its entry away; nobody has to wait for its lease. */
export async function leaveBoard(board: BoardRef, identity: Identity, reason: string): Promise<void> {
  await board.driver.transaction(async (tx) => {
    const inside = { ...board, driver: tx }
    const { current_task } = (await needAgent(tx, board.board_id, identity)).item
    const task = current_task === null ? null : (await needTask(tx, board.board_id, current_task)).item
    if (task?.status === 'CLAIMED' && task.claim_generation === identity.generation)
      await releaseClaim(inside, identity, task.id, { reason })
    if (task?.review_generation === identity.generation) await releaseReview(inside, identity, task.id, { reason })
    await boardAgents.remove(tx, await needAgent(tx, board.board_id, identity))
    await recordActivity(tx, board.board_id, { agent: identity.agent, action: 'left', detail: reason })
  })
}

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

import { agentId, BoardAgent, roleOfAgent, type TeamRole } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { Identity, BoardRef } from '../desk.ts'
import { hasExpired, leaseFrom } from '../../domain/lease.ts'
import { moveAgent } from '../task/move.ts'
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

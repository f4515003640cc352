import { roleOfAgent, type BoardAgent } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'
import type { TaskActor } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents } from '../../store/tables.ts'
import type { Actor, Identity, BoardRef } from '../context.ts'
import { needTask } from '../find.ts'

/** Who is acting, by the record of this moment. */
export interface KnownActor {
  role: TaskActor
  id: string
  agent: Stored<BoardAgent> | null
}

/** Asked inside the writing transaction: a registration that was replaced a moment ago counts no more. */
export async function knownActor(tx: Driver, boardId: string, actor: Actor): Promise<KnownActor> {
  if ('human' in actor) return { role: 'human', id: actor.human, agent: null }
  if ('supervisor' in actor) return { role: 'supervisor', id: actor.supervisor, agent: null }
  const agent = await needAgent(tx, boardId, actor)
  return { role: agent.item.role, id: agent.item.id, agent }
}

/** Acts on a task in one transaction, in which both who acts and the task are as they are at this moment. */
export async function actOn<Result>(
  { driver, board_id }: BoardRef,
  actor: Actor,
  taskId: string,
  act: (tx: Driver, who: KnownActor, was: Stored<Task>) => Promise<Result>,
): Promise<Result> {
  return driver.transaction(async (tx) => act(tx, await knownActor(tx, board_id, actor), await needTask(tx, board_id, taskId)))
}

/** The agent, if it is the one that was registered last under its name. */
export async function needAgent(tx: Driver, boardId: string, identity: Identity): Promise<Stored<BoardAgent>> {
  return sameRegistration(await boardAgents.find(tx, boardKey({ board_id: boardId, id: identity.agent })), identity)
}

/** Refuses an identity that the record of the agent does not bear out. */
export function sameRegistration(found: Stored<BoardAgent> | null, { agent: id, generation }: Identity): Stored<BoardAgent> {
  roleOfAgent(id)
  if (found === null) throw new Problem('forbidden', `${id} is not registered on this board; register it before it works`)
  if (found.item.generation === generation) return found
  throw new Problem('forbidden', `${id} was registered again by another process; this one must stop`, { details: { agent: id } })
}

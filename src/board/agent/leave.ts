import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { boardAgents } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needIdentity, type RecordsContext } from '../context.ts'
import type { Identity, BoardRef } from '../desk.ts'
import { needTask } from '../find.ts'
import { releaseReview, releaseClaim } from '../task/release.ts'
import { needAgent } from './known-actor.ts'

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

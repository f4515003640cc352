import { boardAgents } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { Identity, BoardRef } from '../desk.ts'
import { needTask } from '../find.ts'
import { releaseReview, releaseClaim } from '../task/release.ts'
import { needAgent } from './known-actor.ts'

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

import { boardAgents } from '../store/tables.ts'
import { sayActivity } from './activity.ts'
import type { Identity, Shelf } from './desk.ts'
import { needTask } from './find.ts'
import { releaseReview, releaseTask } from './release.ts'
import { needAgent } from './standing.ts'

/** An agent that stops in good order gives back what it holds and takes its entry away; nobody has to wait for its lease. */
export async function leaveBoard(desk: Shelf, identity: Identity, reason: string): Promise<void> {
  await desk.driver.transaction(async (tx) => {
    const inside = { ...desk, driver: tx }
    const { current_task } = (await needAgent(tx, desk.board_id, identity)).item
    const task = current_task === null ? null : (await needTask(tx, desk.board_id, current_task)).item
    if (task?.status === 'CLAIMED' && task.claim_generation === identity.generation)
      await releaseTask(inside, identity, task.id, { reason })
    if (task?.review_generation === identity.generation) await releaseReview(inside, identity, task.id, { reason })
    await boardAgents.remove(tx, await needAgent(tx, desk.board_id, identity))
    await sayActivity(tx, desk.board_id, { agent: identity.agent, action: 'left', detail: reason })
  })
}

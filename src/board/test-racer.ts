import { Problem } from '../domain/problem.ts'
import { openStore } from '../store/open.ts'
import { takeTask } from './claim.ts'
import type { Identity } from './desk.ts'
import { agentReady, registerAgent } from './register.ts'
import { releaseReview, releaseTask } from './release.ts'
import { takeReview } from './review.ts'

/** One of several processes that fight for the same task: `address board agent rounds`. Tells how often it won. */
const [, , address = '', board_id = '', id = '', rounds = '0'] = process.argv
const store = await openStore(address, { patienceMs: 60_000 })
const desk = { driver: store, board_id }
const identity = await registerAgent(desk, { id })
await agentReady(desk, identity)
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))
let won = 0
for (let round = 0; round < Number(rounds); round++) won += await fight(identity)
process.send?.(won)
await store.close()
process.disconnect()

/** Takes the task and gives it back; 0 when another was first. */
async function fight(me: Identity): Promise<0 | 1> {
  const reviews = me.agent.startsWith('code-reviewer')
  try {
    const taken = reviews ? await takeReview(desk, me, 'task-1') : await takeTask(desk, me, 'a'.repeat(40), 'task-1')
    if (taken === null) return 0
    await (reviews ? releaseReview : releaseTask)(desk, me, 'task-1', { reason: 'next round' })
    return 1
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return 0
    throw error
  }
}

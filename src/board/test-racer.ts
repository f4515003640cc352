import { strict as assert } from 'node:assert'
import { Problem } from '../domain/problem.ts'
import { openStore } from '../store/open.ts'
import { openRepository } from '../worktrees/repository.ts'
import { claimWithWorktree, takeTask } from './task/claim.ts'
import type { Identity } from './context.ts'
import { worktreeIsThere } from './worktree/prepare.ts'
import { agentReady, registerAgent } from './agent/register.ts'
import { releaseReview, releaseClaim } from './task/release.ts'
import { takeReview } from './task/review.ts'
import { withoutCommands } from './test-board.ts'

/** One of several processes that fight for the same tasks, one task after the other: `address board agent rounds tasks root`. Tells how often it won. */
const [, , address = '', board_id = '', id = '', rounds = '0', tasks = '0', root = ''] = process.argv
const store = await openStore(address, { patienceMs: 60_000 })
const desk = { driver: store, board_id, ...withoutCommands, repository: await openRepository(root) }
const identity = await registerAgent(desk, { id })
await agentReady(desk, identity)
process.send?.('ready')
await new Promise((resolve) => process.once('message', resolve))
let won = 0
for (let task = 1; task <= Number(tasks); task++) {
  for (let round = 0; round < Number(rounds); round++) won += await fight(identity, `task-${task}`)
}
process.send?.(won)
await store.close()
process.disconnect()

/** Takes the task and gives it back; 0 when another was first. */
async function fight(me: Identity, task: string): Promise<0 | 1> {
  try {
    await take(me, task)
    await (isReviewer(me) ? releaseReview : releaseClaim)(desk, me, task, { reason: 'next round' })
    return 1
  } catch (error) {
    if (error instanceof Problem && error.code === 'conflict') return 0
    throw error
  }
}

/** With its worktree, as a supervisor claims, or the claim alone, which is the fiercer race. */
async function take(me: Identity, task: string): Promise<void> {
  if (isReviewer(me)) return void (await takeReview(desk, me, task))
  if (process.env['RACE_WORKTREES'] === undefined) return void (await takeTask(desk, me, 'a'.repeat(40), task))
  const claimed = await claimWithWorktree(desk, me, task)
  assert.ok(claimed !== null && worktreeIsThere(desk, claimed), `${task} was claimed by ${me.agent} without its worktree`)
}

function isReviewer({ agent }: Identity): boolean {
  return agent.startsWith('code-reviewer')
}

import { hostname } from 'node:os'
import type { AgentContext } from '../../agent/agent.ts'
import { holderId } from '../../sandbox/process/holder.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import { keepRenewing } from '../../domain/lease.ts'
import { jobs } from '../../store/tables.ts'

/** The fields that say that this process is at work, and since when it was last heard of. */
export function holderFields(now: Date): Pick<JobActive, 'pid' | 'host' | 'holder' | 'heartbeat_at'> {
  return { pid: process.pid, host: hostname(), holder: holderId(), heartbeat_at: now.toISOString() }
}

/** Shows others, while a step is on, that its process is alive. */
export function keepHeartbeat({ driver }: Pick<AgentContext, 'driver'>, { id, active }: Job): { stop: () => void } {
  async function beat(): Promise<void> {
    await driver.transaction(async (tx) => {
      const was = await jobs.get(tx, id)
      const mine = was.item.active
      if (mine === null || mine.holder !== holderId() || mine.started_at !== active?.started_at) return
      const heartbeat_at = (await tx.now()).toISOString()
      await jobs.replace(tx, was, { ...was.item, active: { ...mine, heartbeat_at } })
    })
  }
  return keepRenewing(beat)
}

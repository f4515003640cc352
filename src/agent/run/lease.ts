import { hasExpired, keepRenewing, leaseFrom } from '../../domain/lease.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import { runs } from '../../store/run-tables.ts'
import type { Driver } from '../../store/driver.ts'
import type { AgentContext } from '../agent.ts'
import { holderId, isGone } from '../../sandbox/process/holder.ts'
import { recordEntries, type RunContext } from './context.ts'

/** How often a run looks whether someone stopped it or took it over; only when something was written since. */
const LOOK_MS = 400

/** The fields that say this process holds a run, by the store's clock. */
export async function leaseFields(driver: Driver): Promise<Pick<Run, 'holder' | 'lease_expires'>> {
  return { holder: holderId(), lease_expires: leaseFrom(await driver.now()) }
}

/** The fields of what nobody holds any more. */
export const releasedLease = { holder: null, lease_expires: null }

/** As much of a record as says who holds it. */
export type Holdable = Pick<Run, 'id' | 'thread_id' | 'holder' | 'lease_expires'>

/** Refuses a run that a living process holds. */
export async function refuseLeased(driver: Driver, run: Holdable): Promise<void> {
  const { holder, lease_expires } = run
  if (holder === null || lease_expires === null || isGone(holder)) return
  if (hasExpired(lease_expires, await driver.now())) return
  throw new Problem('busy', `the thread ${run.thread_id} is busy with run ${run.id}, held by ${holder}; wait for it, or stop it first`, {
    details: { run_id: run.id, thread_id: run.thread_id, holder, lease_expires },
  })
}

/** Whether a living process holds a run. */
export async function isLeased(driver: Driver, run: Holdable): Promise<boolean> {
  return refuseLeased(driver, run).then(
    () => false,
    () => true,
  )
}

/** Renews the lease of a run while it is played, and ends its signal when a person stops it or another process takes it over. */
export function keepLease(agent: AgentContext, runId: string, signal: AbortSignal) {
  const stopping = new AbortController()
  let changed = true // it may have been stopped before we listened
  let heartbeat: { stop: () => void } | undefined
  let look: NodeJS.Timeout | undefined
  const stopListening = agent.driver.onAppend(() => {
    changed = true
  })

  async function lookAgain(): Promise<void> {
    if (!changed) return
    changed = false
    const found = await runs.find(agent.driver, runId)
    if (found?.item.status !== 'running' || found.item.holder !== holderId()) stopping.abort()
  }

  async function start(context: RunContext): Promise<void> {
    await lookAgain()
    heartbeat = keepRenewing(() => renew(context))
    look = setInterval(() => void lookAgain().catch(() => undefined), LOOK_MS).unref()
  }

  function release(): void {
    stopListening()
    heartbeat?.stop()
    clearInterval(look)
  }

  return { signal: AbortSignal.any([signal, stopping.signal]), start, release }
}

async function renew(context: RunContext): Promise<void> {
  await recordEntries(context, { run: await leaseFields(context.agent.driver) })
}

import { setTimeout as sleep } from 'node:timers/promises'
import { isFinal, nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { runFlow, type Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { runs } from '../../store/run-tables.ts'
import { endProcesses } from './processes.ts'
import { cutRun } from './cut-run.ts'
import { isLeased } from './lease.ts'

/** How often we look whether the process that holds a run has wound it down. */
const LOOK_MS = 50

/** Stops a run and everything it started, whichever process holds it, and comes back when nothing of it is running any more. */
export async function stopRun(driver: Driver, runId: string, now: Date): Promise<Run> {
  const children = await runs.items(driver, { where: { parent_run_id: runId, status: ['running', 'waiting'] } })
  const held = await driver.transaction(async (tx) => {
    const was = await runs.get(tx, runId)
    if (isFinal(runFlow, was.item.status)) return false
    if (!(await isLeased(tx, was.item))) {
      await cutRun(tx, was, new Problem('stopped', 'the run was stopped'), now)
      return false
    }
    await runs.replace(tx, was, { ...was.item, status: nextState(runFlow, was.item.status, 'stop', 'user') })
    return true
  })
  for (const child of children) await stopRun(driver, child.id, now)
  await endProcesses(runId)
  if (held) await untilWoundDown(driver, runId)
  return (await runs.get(driver, runId)).item
}

async function untilWoundDown(driver: Driver, runId: string): Promise<void> {
  for (;;) {
    const { item } = await runs.get(driver, runId)
    if (item.holder === null || !(await isLeased(driver, item))) return
    await sleep(LOOK_MS)
  }
}

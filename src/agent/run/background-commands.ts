import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../domain/run.ts'
import { runs } from '../../store/run-tables.ts'
import { backgroundCommands, type BackgroundCommands } from '../../tools/background/commands.ts'
import type { AgentContext } from '../agent.ts'
import { runInBackground } from './background.ts'

/** How often we look whether a run that waits for a person was stopped, or taken up elsewhere. */
const LOOK_MS = 400

interface Kept {
  commands: BackgroundCommands
  stop: AbortController
  /** Set when the run is played again here, so that its commands go on. */
  taken: boolean
}

/** The commands of runs that wait for a person, by run. */
const kept = new Map<string, Kept>()

/** The background commands of a run that this process takes up: those it left running here while it waited, or none yet. */
export function takeCommands(runId: string): BackgroundCommands {
  const waiting = kept.get(runId)
  if (waiting === undefined) return backgroundCommands()
  kept.delete(runId)
  waiting.taken = true
  waiting.stop.abort()
  return waiting.commands
}

/** Ends the background commands of a run, unless it waits for a person at a place that lasts: then they go on until it is over. */
export async function leaveCommands({ driver, lasting }: AgentContext, run: Run, commands: BackgroundCommands): Promise<void> {
  if (run.status !== 'waiting' || lasting === undefined || commands.running().length === 0) return commands.end()
  const own: Kept = { commands, stop: new AbortController(), taken: false }
  kept.set(run.id, own)
  runInBackground(lasting, `${run.id}/commands`, 'background commands of', async (closing) => {
    const signal = AbortSignal.any([closing, own.stop.signal])
    while (!signal.aborted && commands.running().length > 0) {
      const found = await runs.find(driver, run.id)
      if (found?.item.status !== 'waiting') break
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
    if (own.taken) return
    kept.delete(run.id)
    await commands.end()
  })
}

/** Ends what a run left running here while it waits. */
export async function endCommands(runId: string): Promise<void> {
  const waiting = kept.get(runId)
  waiting?.stop.abort()
  await waiting?.commands.end()
}

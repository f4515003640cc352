import { setTimeout as sleep } from 'node:timers/promises'
import type { Run } from '../../domain/run.ts'
import { runs } from '../../store/run-tables.ts'
import { backgroundCommands, type BackgroundCommands } from '../../tools/background/commands.ts'
import { serverSession, type ServerSession } from '../../outside/session.ts'
import type { AgentContext } from '../agent.ts'
import { runInBackground } from './background.ts'

/** How often we look whether a run that waits for a person was stopped, or taken up elsewhere. */
const LOOK_MS = 400

/** What a run has started that goes on from one call to the next: commands in the background, and servers of tools. */
export interface RunProcesses {
  commands: BackgroundCommands
  servers: ServerSession
}

interface Kept {
  processes: RunProcesses
  stop: AbortController
  /** Set when the run is played again here, so that they go on. */
  taken: boolean
}

/** The processes of runs that wait for a person, by run. */
const kept = new Map<string, Kept>()

/** The processes of a run that is taken up: those it left running here while it waited, or none yet. */
export function takeProcesses(runId: string): RunProcesses {
  const waiting = kept.get(runId)
  if (waiting === undefined) return { commands: backgroundCommands(), servers: serverSession() }
  kept.delete(runId)
  waiting.taken = true
  waiting.stop.abort()
  return waiting.processes
}

/** Ends the processes of a run, unless it waits for a person at a place that lasts: then they go on until it is over. */
export async function leaveProcesses({ driver, lasting }: AgentContext, run: Run, processes: RunProcesses): Promise<void> {
  if (run.status !== 'waiting' || lasting === undefined || !isRunning(processes)) return endAll(processes)
  const own: Kept = { processes, stop: new AbortController(), taken: false }
  kept.set(run.id, own)
  runInBackground(lasting, `${run.id}/commands`, 'background commands of', async (closing) => {
    const signal = AbortSignal.any([closing, own.stop.signal])
    while (!signal.aborted && isRunning(processes)) {
      const found = await runs.find(driver, run.id)
      if (found?.item.status !== 'waiting') break
      await sleep(LOOK_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
    if (own.taken) return
    kept.delete(run.id)
    await endAll(processes)
  })
}

function isRunning({ commands, servers }: RunProcesses): boolean {
  return commands.running().length + servers.running().length > 0
}

/** Ends them all, and comes back when nothing of them is left. */
export async function endAll({ commands, servers }: RunProcesses): Promise<void> {
  await Promise.all([commands.end(), servers.end()])
}

/** Ends what a run left running here while it waits. */
export async function endProcesses(runId: string): Promise<void> {
  const waiting = kept.get(runId)
  waiting?.stop.abort()
  if (waiting !== undefined) await endAll(waiting.processes)
}

import type { Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { AgentContext } from '../agent.ts'
import { playRun } from '../loop.ts'

/** A run that was played under watch; `silent` when it was stopped because nothing was heard of it any more. */
export interface WatchedRun {
  run: Run
  silent: boolean
}

/** Plays a run under watch: an agent that neither says nor does anything for too long is stopped. */
export async function playWatchedRun(agent: AgentContext, held: Stored<Run>, silenceMs: number, signal: AbortSignal): Promise<WatchedRun> {
  const silence = new AbortController()
  const watch = setTimeout(() => silence.abort(), silenceMs)
  const heard: AgentContext = {
    ...agent,
    onEvent: (event) => {
      watch.refresh()
      agent.onEvent(event)
    },
  }
  try {
    const run = await playRun(heard, held, AbortSignal.any([signal, silence.signal]))
    return { run, silent: silence.signal.aborted && run.status !== 'completed' }
  } finally {
    clearTimeout(watch)
  }
}

/** What is said of an agent that was stopped for its silence. */
export function silenceText(silenceMs: number): string {
  return `the agent said and did nothing for ${silenceMs} ms and was stopped`
}

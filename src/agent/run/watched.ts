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
  const within = (ms: number) => setTimeout(() => silence.abort(), Math.min(LONGEST_MS, ms))
  let watch = within(silenceMs)
  let waits = false
  const heard: AgentContext = {
    ...agent,
    onEvent: (event) => {
      const until = event.type === 'notice' ? event.until : undefined
      if (until === undefined && !waits) watch.refresh()
      else {
        clearTimeout(watch)
        watch = within(silenceMs + (until === undefined ? 0 : Math.max(0, Date.parse(until) - Date.now())))
        waits = until !== undefined
      }
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

/** No timer may be longer. */
const LONGEST_MS = 2 ** 31 - 1

/** What is said of an agent that was stopped for its silence. */
export function silenceText(silenceMs: number): string {
  return `the agent said and did nothing for ${silenceMs} ms and was stopped`
}

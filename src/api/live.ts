import type { Delta, RunEvent } from '../domain/event.ts'

/** Passes on what is being said before it is stored. Who comes in the midst of it is told its beginning, or the end of a long output, first. */
export interface Live {
  watch: (event: RunEvent) => void
  /** Gives back the way to stop listening. */
  hear: (listener: (delta: Delta) => void) => () => void
}

/** Of what a call prints only the end is kept for who comes late. */
const OUTPUT_KEPT_CHARS = 8_000

export function createLive(): Live {
  const listeners = new Set<(delta: Delta) => void>()
  const under = new Map<string, Delta>() // what is under way, by thread for words, by run and call for output
  const tellAll = (delta: Delta) => {
    for (const listener of listeners) listener(delta)
  }
  const add = (key: string, said: Omit<Delta, 'from'>, keptChars: number) => {
    const known = under.get(key)
    const from = known === undefined ? 0 : known.from + known.text.length
    const whole = (known?.text ?? '') + said.text
    const kept = whole.slice(-keptChars)
    under.set(key, { ...said, from: from + said.text.length - kept.length, text: kept })
    tellAll({ ...said, from })
  }
  const hold = (delta: Delta) => {
    under.set(delta.thread_id, delta)
    tellAll(delta)
  }
  const wait = (nothing: Delta, held_up: string) => {
    const known = under.get(nothing.thread_id) ?? nothing
    under.set(nothing.thread_id, { ...known, held_up })
    tellAll({ ...nothing, from: known.from + known.text.length, held_up })
  }
  return {
    watch: (event) => {
      const { thread_id, run_id } = event
      if (event.type === 'delta') return add(thread_id, { thread_id, run_id, call_id: null, text: event.text }, Infinity)
      if (event.type === 'thought')
        return add(`${thread_id} thoughts`, { thread_id, run_id, call_id: null, thought: true, text: event.text }, OUTPUT_KEPT_CHARS)
      const nothing = { thread_id, run_id, call_id: null, from: 0, text: '' }
      if (event.type === 'notice') return wait(nothing, event.message)
      under.delete(`${thread_id} thoughts`)
      if (event.type === 'error' && event.retryable) return hold({ ...nothing, held_up: event.message })
      if (under.get(thread_id)?.held_up !== undefined) tellAll(nothing)
      // The reply is stored, void or over; without this the next one would be appended to it.
      under.delete(thread_id)
      if (event.type === 'result') forgetCalls(under, run_id)
      if (event.type === 'tool_result') under.delete(`${run_id} ${event.call_id}`)
      if (event.type !== 'tool_output') return
      const { call_id, text } = event
      add(`${run_id} ${call_id}`, { thread_id, run_id, call_id, text }, OUTPUT_KEPT_CHARS)
    },
    hear: (listener) => {
      for (const said of under.values()) listener(said)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A run that was cut off left calls without a result. */
function forgetCalls(under: Map<string, Delta>, runId: string): void {
  for (const [key, { run_id, call_id }] of under) if (run_id === runId && call_id !== null) under.delete(key)
}

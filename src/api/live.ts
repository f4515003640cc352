import type { RunEvent } from '../domain/event.ts'

/** A piece of what a model is saying at this moment. It stands at `from` in the reply, so that nothing is doubled or lost when a reader comes late. */
export interface Delta {
  thread_id: string
  run_id: string
  from: number
  text: string
}

/** Passes on what is being said before it is stored. Who comes in the midst of a reply is told its beginning first. */
export interface Live {
  watch: (event: RunEvent) => void
  /** Gives back the way to stop listening. */
  hear: (listener: (delta: Delta) => void) => () => void
}

export function createLive(): Live {
  const listeners = new Set<(delta: Delta) => void>()
  const saying = new Map<string, Delta>()
  const send = (delta: Delta) => {
    for (const listener of listeners) listener(delta)
  }
  return {
    watch: (event) => {
      const { thread_id, run_id } = event
      // The reply is stored, void or over; without this the next one would be appended to it.
      if (event.type !== 'delta') return void saying.delete(thread_id)
      const said = saying.get(thread_id)?.text ?? ''
      saying.set(thread_id, { thread_id, run_id, from: 0, text: said + event.text })
      send({ thread_id, run_id, from: said.length, text: event.text })
    },
    hear: (listener) => {
      for (const said of saying.values()) listener(said)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** A piece of what a model is saying at this moment. */
export interface Delta {
  thread_id: string
  text: string
}

/** Passes on what is being said before it is stored. Who comes late reads the stored reply instead. */
export interface Live {
  say: (delta: Delta) => void
  /** Gives back the way to stop listening. */
  hear: (listener: (delta: Delta) => void) => () => void
}

export function createLive(): Live {
  const listeners = new Set<(delta: Delta) => void>()
  return {
    say: (delta) => {
      for (const listener of listeners) listener(delta)
    },
    hear: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

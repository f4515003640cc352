import type { Driver } from '../store/driver.ts'

/** What the handlers work with; put together by whoever starts the server. */
export interface Services {
  version: string
  driver: Driver
  /** What is being said at this moment and not stored yet; gives back the way to stop listening. */
  onLive: (listener: (delta: LiveDelta) => void) => () => void
}

export interface LiveDelta {
  thread_id: string
  text: string
}

import { readActivity, type ActivityLine } from '../activity.ts'
import type { Desk } from '../desk.ts'

/** What happens on a board, told once per process to everyone in it. */
export interface Bulletin {
  /** The number of the last line that was told. Take it before you look for work, so that nothing said meanwhile is missed. */
  seen(): number
  /** Comes back when something was said after `seen`, when the time is up, or when the signal ends. */
  wait(seen: number, ms: number, signal: AbortSignal): Promise<void>
  listen(listener: (lines: readonly ActivityLine[]) => void): () => void
  stop(): void
}

const BATCH = 500

/** Follows the activity of a board from now on, whichever process acts. Idle, it costs nothing but the store's own watching. */
export async function openBulletin({ driver, board_id }: Pick<Desk, 'driver' | 'board_id'>): Promise<Bulletin> {
  const listeners = new Set<(lines: readonly ActivityLine[]) => void>()
  let seen = (await readActivity(driver, board_id, { limit: 1 })).at(-1)?.seq ?? 0
  let reading = false
  let rung = false

  async function read(): Promise<void> {
    rung = true
    if (reading) return
    reading = true
    while (rung) {
      rung = false
      const lines = await newLines().catch(() => []) // a store that is away rings again when it is back
      if (lines.length === 0) continue
      seen = lines.at(-1)?.seq ?? seen
      for (const listener of listeners) listener(lines)
    }
    reading = false
  }

  async function newLines(): Promise<ActivityLine[]> {
    const lines = await readActivity(driver, board_id, { after: seen, limit: BATCH })
    // The reader gives the newest lines; when there are more, what is older is not told line by line.
    return lines
  }

  function wait(from: number, ms: number, signal: AbortSignal): Promise<void> {
    if (seen > from || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        listeners.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      listeners.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }

  function listen(listener: (lines: readonly ActivityLine[]) => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  const stop = driver.onAppend(() => void read())
  return { seen: () => seen, wait, listen, stop }
}

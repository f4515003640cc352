import type { SqliteConnection } from './connection.ts'

/** How often we look for the commits of other processes: often just after one, rarely when all is quiet; never slower than 50 ms. */
const EAGER_MS = 5
const IDLE_MS = 30
const EAGER_FOR_MS = 1_000

/** Tells listeners of commits: our own at once, those of other processes by asking SQLite for its change counter. */
export function watchForAppends(connection: SqliteConnection) {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let version = 0
  let lastChange = 0

  function announce(): void {
    for (const listener of listeners) listener()
  }

  function look(): void {
    const seen = changeCounter(connection) ?? version
    if (seen !== version) {
      version = seen
      lastChange = Date.now()
      announce()
    }
    if (listeners.size > 0) lookAgain()
  }

  function lookAgain(): void {
    timer = setTimeout(look, Date.now() - lastChange < EAGER_FOR_MS ? EAGER_MS : IDLE_MS)
  }

  function stop(): void {
    clearTimeout(timer)
    listeners.clear()
  }

  function onAppend(listener: () => void): () => void {
    const own = () => listener() // the same function may listen twice
    listeners.add(own)
    if (listeners.size === 1) {
      version = changeCounter(connection) ?? version
      lookAgain()
    }
    return () => {
      listeners.delete(own)
      if (listeners.size === 0) clearTimeout(timer)
    }
  }

  return { announce, onAppend, stop }
}

/** Nothing when the file cannot be read just now: whoever needs it meets that error in their own call. */
function changeCounter(connection: SqliteConnection): number | undefined {
  try {
    return connection.run<{ data_version: number }>('pragma data_version')[0]?.data_version
  } catch {
    return undefined
  }
}

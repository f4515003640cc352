import { problems } from '../domain/problem.ts'

/** How long a stop may take before we leave anyway: whoever stops us waits two seconds. */
const PATIENCE_MS = 1_800

/** Ends when the process is asked to end, by Ctrl-C or by the one who started it. Asked again, it is the same stop. */
export function stopSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) return
      stopping.abort()
      setTimeout(() => process.exit(problems.stopped.exit), PATIENCE_MS).unref()
    })
  }
  return stopping.signal
}

import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { Problem } from '../domain/problem.ts'
import { log } from '../store/log.ts'
import type { ServerContext } from './services.ts'

const HEARTBEAT_MS = 15_000

/** As much is kept for a reader that is behind. One that stopped reading is let go, and told the beginning again when it comes back. */
const KEPT_CHARS = 8_000_000

/**
 * The log as server-sent events: all after a line, or from now on; then whatever comes.
 * Each event carries its number, so a reader that comes back misses nothing and sees nothing twice.
 */
export async function sendEvents(c: Context, { driver, live }: ServerContext, stopping: AbortSignal): Promise<Response> {
  const after = startingPoint(c) ?? (await log.last(driver))
  c.header('cache-control', 'no-store')
  return streamSSE(c, async (stream) => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const signal = AbortSignal.any([gone.signal, stopping])
    const heartbeat = setInterval(() => void stream.write(': still here\n\n'), HEARTBEAT_MS)
    let kept = 0
    const silence = live.hear((delta) => {
      const data = JSON.stringify(delta)
      kept += data.length
      if (kept > KEPT_CHARS) return gone.abort()
      void stream.writeSSE({ event: 'live', data }).then(() => (kept -= data.length))
    })
    try {
      await stream.writeSSE({ event: 'ready', id: String(after), data: JSON.stringify({ seq: after }) })
      for await (const line of log.tail(driver, after, signal)) {
        await stream.writeSSE({ event: 'log', id: String(line.seq), data: JSON.stringify(line) })
      }
    } finally {
      clearInterval(heartbeat)
      silence()
    }
  })
}

/** A browser that reconnects repeats its old address but names the last event it saw; that is the newer word. */
function startingPoint(c: Context): number | null {
  const given = c.req.header('last-event-id') ?? c.req.query('after')
  if (given === undefined) return null
  if (/^\d{1,15}$/.test(given)) return Number(given)
  throw new Problem('bad_input', `after is ${JSON.stringify(given)}; it must be the number of a log line, or be left out for "from now on"`)
}

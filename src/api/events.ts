import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { Problem } from '../domain/problem.ts'
import { log } from '../store/log.ts'
import type { Services } from './services.ts'

const HEARTBEAT_MS = 15_000

/**
 * The log as server-sent events: all after a line, or from now on; then whatever comes.
 * Each event carries its number, so a reader that comes back misses nothing and sees nothing twice.
 */
export async function sendEvents(c: Context, { driver, live }: Services, stopping: AbortSignal): Promise<Response> {
  const after = startingPoint(c) ?? (await log.last(driver))
  c.header('cache-control', 'no-store')
  return streamSSE(c, async (stream) => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const signal = AbortSignal.any([gone.signal, stopping])
    const heartbeat = setInterval(() => void stream.write(': still here\n\n'), HEARTBEAT_MS)
    const silence = live.hear((delta) => void stream.writeSSE({ event: 'live', data: JSON.stringify(delta) }))
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

import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { messageOf, Problem, systemCode } from '../domain/problem.ts'
import { networkInterfaces } from 'node:os'

export interface ListenOptions {
  host: string
  port: number
  /** Whether exactly this port is wanted; else the next free one does. */
  exact?: boolean
  /** How long a request may take to arrive completely. */
  requestMs?: number | undefined
}

/** How many ports after a busy one are tried. */
const PORTS_TRIED = 50
const GRACE_MS = 1_000
const LOOK_MS = 20

/** Listens on the port, or on the next free one. */
export async function listen(app: Hono, { host, port, exact = false, requestMs = 30_000 }: ListenOptions) {
  const serverOptions = { requestTimeout: requestMs, headersTimeout: requestMs, connectionsCheckingInterval: Math.min(requestMs, 5_000) }
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions }) as Server // without createServer it makes one of node:http
  for (let tried = 0; tried < (exact ? 1 : PORTS_TRIED); tried++) {
    const bound = await bind(server, host, port === 0 ? 0 : port + tried)
    if (bound !== null) return { port: bound, close: () => close(server) }
  }
  if (exact)
    throw new Problem(
      'bad_input',
      `port ${port} is taken, perhaps by another Troupe; choose another port, or none to take the next free one`,
    )
  throw new Problem('busy', `ports ${port} to ${port + PORTS_TRIED - 1} are all taken; choose another`)
}

/** The port it got; null when it is taken. */
async function bind(server: Server, host: string, port: number): Promise<number | null> {
  if (port > 65535) return null
  try {
    await once(server.listen(port, host), 'listening')
  } catch (cause) {
    if (systemCode(cause) === 'EADDRINUSE') return null
    const why = `the server cannot listen on ${host}:${port} (${messageOf(cause)}); choose another host or port`
    throw new Problem('bad_input', why, { cause })
  }
  return (server.address() as AddressInfo).port // a listening TCP server has one
}

/** Takes no more requests, lets those under way finish for a moment, then ends them. */
async function close(server: Server): Promise<void> {
  const closed = once(server.close(), 'close')
  // A connection whose answer has just ended turns idle a moment after we looked.
  const looking = setInterval(() => server.closeIdleConnections(), LOOK_MS)
  const impatience = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  await closed
  clearInterval(looking)
  clearTimeout(impatience)
}

/** Listening on one of these is listening on every address of the machine; neither can be opened. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Where a server that listens on `host` can be opened: first on this machine, then from others. */
export function openAt(host: string, port: number, interfaces = networkInterfaces()): string[] {
  const own = loopbackOf[host]
  if (own === undefined) return [origin(host, port)]
  const others = Object.values(interfaces).flatMap((of = []) =>
    of.filter(({ internal, family }) => !internal && (own === '::1' || family === 'IPv4')),
  )
  // An address that is valid on one cable alone names the interface too, which no browser takes.
  const reachable = others.filter(({ address }) => !/^fe[89ab]/i.test(address))
  return [origin(own, port), ...reachable.map(({ address }) => origin(address, port))]
}

function origin(host: string, port: number): string {
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

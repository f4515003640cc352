import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { NotReached, type NetworkReach, type Unreached } from './reach.ts'

/** Somebody a command wanted to reach and did not. */
export interface RefusedHost {
  host: string
  port: number
  why: Exclude<Unreached, 'unreachable'>
}

/** What one command may do through the proxy, and what became of it. Its token is its name. */
export interface ProxyClient extends NetworkReach {
  readonly token: string
  readonly refused: Map<string, RefusedHost>
  readonly open: Set<Duplex>
}

/** As many connections as one command may have open at a time, each with its other end, and as many refusals as are told of. */
const MOST_CONNECTIONS = 256
const MOST_REFUSED = 50

export function newClient(reach: NetworkReach): ProxyClient {
  return { ...reach, token: randomBytes(24).toString('base64url'), refused: new Map(), open: new Set() }
}

/** Takes a connection of a command, or says that it has too many. */
export function take(session: ProxyClient, socket: Duplex): boolean {
  if (session.open.has(socket)) return true
  if (session.open.size >= MOST_CONNECTIONS * 2) return false
  cutWith(session, socket)
  return true
}

/** A connection that is cut when its command ends, at the latest. */
export function cutWith({ open }: ProxyClient, socket: Duplex): void {
  open.add(socket)
  socket.once('close', () => open.delete(socket))
}

/** Passes everything on between two ends; when one is gone, so is the other. */
export function join(near: Duplex, far: Duplex): void {
  for (const [one, other] of [[near, far] as const, [far, near] as const]) {
    one.on('error', () => undefined).once('close', () => other.destroy())
    one.pipe(other)
  }
}

/** Notes that somebody was not reached because they may not be. */
export function noteRefusal({ refused }: ProxyClient, error: unknown): void {
  if (!(error instanceof NotReached) || error.why === 'unreachable' || refused.size >= MOST_REFUSED) return
  const { host, port, why } = error
  refused.set(`${host}:${port}`, { host, port, why })
}

/** Where programs look for a proxy. The token is its password. */
export function proxyVariables({ token }: ProxyClient, port: number): Record<string, string> {
  const proxy = `http://troupe:${token}@127.0.0.1:${port}`
  const none = 'localhost,127.0.0.1,::1'
  const both = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: none }
  const lower = Object.fromEntries(Object.entries(both).map(([name, value]) => [name.toLowerCase(), value]))
  return { ...both, ...lower, NODE_USE_ENV_PROXY: '1' }
}

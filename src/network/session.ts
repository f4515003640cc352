import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { NotReached, type NetworkReach, type Outside, type Unreached } from './reach.ts'

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
  /** The names that are being looked up for it. */
  readonly lookups: Map<string, Promise<readonly string[]>>
  /** Plain requests that are not answered yet. */
  requests: number
  /** Its command is gone: nobody is dialled for it any more. */
  ended: boolean
}

/** As many connections as one command may have open at a time, each with its other end, and as many refusals as are told of. */
const MOST_CONNECTIONS = 256
const MOST_REFUSED = 50

/** The system looks up few names at a time, Troupe's own among them; one command may not fill that with names that nobody answers. */
const MOST_LOOKUPS = 4

export function newClient(reach: NetworkReach): ProxyClient {
  return {
    ...reach,
    token: randomBytes(24).toString('base64url'),
    refused: new Map(),
    open: new Set(),
    lookups: new Map(),
    requests: 0,
    ended: false,
  }
}

/** The way to the internet as one command has it. */
export function wayOut(session: ProxyClient, outside: Outside): Outside {
  return {
    resolve: async (name) => lookUp(session, name, outside),
    connect: (address, port) => {
      const far = session.ended ? new Socket().destroy(new Error('its command has ended')) : outside.connect(address, port)
      far.on('error', () => undefined) // a request that waited for its turn may be gone by then, and nobody else would hear it
      cutWith(session, far)
      return far
    },
    own: () => outside.own(),
  }
}

async function lookUp({ lookups }: ProxyClient, name: string, outside: Outside): Promise<readonly string[]> {
  while (!lookups.has(name) && lookups.size >= MOST_LOOKUPS) await Promise.race(lookups.values()).catch(() => undefined)
  const asked = lookups.get(name) ?? outside.resolve(name).finally(() => lookups.delete(name))
  lookups.set(name, asked)
  return asked
}

/** Counts a plain request until it is answered, or says that there are too many: one connection may carry thousands at once. */
export function takeRequest(session: ProxyClient, answered: (then: () => void) => void): boolean {
  if (session.requests >= MOST_CONNECTIONS) return false
  session.requests += 1
  answered(() => (session.requests -= 1))
  return true
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

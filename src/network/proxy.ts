import type { Server, Socket } from 'node:net'
import { httpSide } from './http-side.ts'
import { realOutside, type Outside, type NetworkReach } from './reach.ts'
import { newClient, proxyVariables, type RefusedHost, type ProxyClient } from './session.ts'
import { serveSocks } from './socks.ts'

/** The port a proxy is found at inside a sandbox, whose loopback is its own. */
export const PROXY_PORT = 3128

/** Carries what commands may send, to those they may send it to. One for all commands of a process. */
export interface Proxy {
  /** Lets one command in. */
  open(reach: NetworkReach): ProxySession
  /** Answers whoever connects to a listener until it is closed. */
  serve(listener: Server): void
}

export interface ProxySession {
  /** The environment by which programs find the proxy, and are let in. */
  variables(port: number): Record<string, string>
  /** Whoever was not reached because they may not be. */
  refused(): RefusedHost[]
  /** Cuts everything that is still open; the token opens nothing any more. */
  end(): void
}

/** Who connects and does not say who they are is not kept longer. */
const UNKNOWN_MS = 15_000
const MOST_UNKNOWN = 512

/** Bytes a SOCKS client begins with; anything else is HTTP. */
const SOCKS5 = 5

export function createProxy(outside: Outside = realOutside, unknownMs = UNKNOWN_MS): Proxy {
  const sessions = new Map<string, ProxyClient>()
  const find = (token: string) => sessions.get(token)
  const http = httpSide(find, outside)

  const welcome = (socket: Socket, unknown: Set<Socket>) => {
    socket.on('error', () => undefined) // whoever resets a connection has no answer coming
    if (unknown.size >= MOST_UNKNOWN) return socket.destroy()
    unknown.add(socket)
    const timer = setTimeout(() => socket.destroy(), unknownMs)
    const known = () => {
      clearTimeout(timer)
      unknown.delete(socket)
    }
    socket.once('close', known)
    socket.setNoDelay(true)
    socket.once('data', (first: Buffer) => {
      socket.pause()
      socket.unshift(first)
      if (first[0] === SOCKS5) void serveSocks(socket, find, outside, known)
      else http.serve(socket, known)
    })
    return socket
  }

  return {
    open: (reach) => {
      const session = newClient(reach)
      sessions.set(session.token, session)
      return {
        variables: (port) => proxyVariables(session, port),
        refused: () => [...session.refused.values()],
        end: () => {
          sessions.delete(session.token)
          session.ended = true
          for (const socket of session.open) socket.destroy()
        },
      }
    },
    serve: (listener) => {
      const unknown = new Set<Socket>() // of this command: whoever keeps its own places taken keeps nobody else out
      listener.on('connection', (socket: Socket) => welcome(socket, unknown))
    },
  }
}

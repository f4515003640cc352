import type { Server } from 'node:net'
import { createProxy, PROXY_PORT, type Proxy } from '../network/proxy.ts'
import { Problem } from '../domain/problem.ts'
import { hasConfineProgram } from './confine-program.ts'
import type { Command, CommandResult } from './sandbox.ts'

/** What a command that may reach some hosts is given, until it has ended. */
export interface Proxied {
  env: Record<string, string>
  /** Takes over what listens on the loopback of its sandbox. */
  onListener: (listener: Server) => void
  /** The result, with everyone it was not to reach. */
  told: (result: CommandResult) => CommandResult
  end: () => void
}

let own: Proxy | undefined

/** Opens the proxy to a command whose network is a list; null for any other, which has no network at all or all of it. */
export function openProxied({ network, networkMost, proxy }: Command): Proxied | null {
  if (network === undefined || typeof network === 'string') return null
  if (!hasConfineProgram(process.arch)) {
    throw new Problem('sandbox_missing', `a list of domains cannot be kept on ${process.arch}; set sandbox.network to off or on`)
  }
  own ??= createProxy()
  const carrier = proxy ?? own
  const session = carrier.open({ policy: network, most: networkMost ?? 'on' })
  return {
    env: session.variables(PROXY_PORT),
    onListener: (listener) => carrier.serve(listener),
    told: (result) => ({ ...result, refused: session.refused() }),
    end: () => session.end(),
  }
}

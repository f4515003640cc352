import { lookup } from 'node:dns/promises'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { plainAddress, refusedAddress } from '../domain/network/address.ts'
import { hostText, readHost } from '../domain/network/host.ts'
import { allowsHost, type NetworkPolicy } from '../domain/network/policy.ts'

/** The way to the internet. A test brings its own, so that nothing it does leaves the machine. */
export interface Outside {
  resolve(name: string): Promise<readonly string[]>
  connect(address: string, port: number): Socket
  /** The addresses of this machine, public ones too. */
  own(): readonly string[]
}

/** What may be reached now, and what a person could allow on top of it: never more than the role. */
export interface NetworkReach {
  policy: NetworkPolicy
  most: NetworkPolicy
}

/**
 * Why somebody was not reached. `not_listed`: a person may allow it. `role`: not for this role. `address`: its name leads to this machine,
 * to a network of its own or to a cloud's metadata. `bad_host`: not a host at all. `unreachable`: allowed, and nobody answered.
 */
export type Unreached = 'not_listed' | 'role' | 'address' | 'bad_host' | 'unreachable'

/** Somebody was not reached; `host` is as it is listed. */
export class NotReached extends Error {
  readonly why: Unreached
  readonly host: string
  readonly port: number

  constructor(why: Unreached, host: string, port: number, message: string) {
    super(message)
    this.why = why
    this.host = host
    this.port = port
  }
}

const RESOLVE_MS = 10_000
const CONNECT_MS = 15_000

/** The internet as this machine has it. */
export const realOutside: Outside = {
  resolve: async (name) => (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address),
  connect: (address, port) => connect({ host: address, port, noDelay: true }),
  own: () => Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address)),
}

/**
 * The addresses of a host, once it is certain that it may be reached. A name is resolved once and what it resolved to is checked, so
 * that nothing is gained by answering otherwise the next time it is asked: exactly these addresses are dialled.
 */
export async function addressesOf(reach: NetworkReach, text: string, port: number, outside: Outside): Promise<readonly string[]> {
  const host = readHost(text)
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536
  if (host === null || !isPort)
    throw new NotReached('bad_host', text.slice(0, 200), port, `${JSON.stringify(text.slice(0, 200))}:${port} is not a host and a port`)
  const shown = hostText(host)
  if (!allowsHost(reach.policy, host, port)) {
    const why = allowsHost(reach.most, host, port) ? 'not_listed' : 'role'
    const whose = why === 'role' ? 'the role of this run may not reach it' : 'it is not in sandbox.network'
    throw new NotReached(why, shown, port, `${shown}:${port} is not allowed: ${whose}`)
  }
  const addresses = 'address' in host ? [host.address] : await resolved(host.name, port, outside)
  if (addresses.length === 0) throw new NotReached('unreachable', shown, port, `${shown} cannot be resolved: it has no address`)
  const own = new Set(outside.own().map(plainAddress)) // a server of this machine may listen on a public address of its own
  for (const address of addresses) {
    const what = own.has(plainAddress(address)) ? 'this machine' : refusedAddress(address)
    if (what !== null) throw new NotReached('address', shown, port, `${shown}:${port} is not reached: it leads to ${address} (${what})`)
  }
  return addresses
}

/** A connection to the first of some checked addresses that answers. */
export async function dial(addresses: readonly string[], host: string, port: number, outside: Outside): Promise<Socket> {
  let last = 'it has no address'
  for (const address of addresses) {
    const socket = outside.connect(address, port)
    const failed = await connected(socket)
    if (failed === null) return socket
    socket.destroy()
    last = failed
  }
  throw new NotReached('unreachable', host, port, `${host}:${port} cannot be reached: ${last}`)
}

async function resolved(name: string, port: number, outside: Outside): Promise<readonly string[]> {
  const timer = new AbortController()
  try {
    const late = new Promise<never>((_, reject) => {
      const timeout = setTimeout(() => reject(new Error('no answer in time')), RESOLVE_MS)
      timer.signal.addEventListener('abort', () => clearTimeout(timeout))
    })
    return await Promise.race([outside.resolve(name), late])
  } catch (cause) {
    throw new NotReached('unreachable', name, port, `${name} cannot be resolved: ${cause instanceof Error ? cause.message : String(cause)}`)
  } finally {
    timer.abort()
  }
}

/** Null once it is connected, else why it is not. */
async function connected(socket: Socket): Promise<string | null> {
  if (!socket.connecting && !socket.destroyed) return null
  return new Promise((resolve) => {
    const timer = setTimeout(() => end('no answer in time'), CONNECT_MS)
    const end = (why: string | null) => {
      clearTimeout(timer)
      socket.off('connect', onConnect)
      socket.off('error', onError)
      socket.on('error', () => undefined)
      resolve(why)
    }
    const onConnect = () => end(null)
    const onError = (error: Error) => end(error.message)
    socket.once('connect', onConnect).once('error', onError)
  })
}

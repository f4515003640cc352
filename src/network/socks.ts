import type { Socket } from 'node:net'
import { addressesOf, dial, NotReached, type Outside } from './reach.ts'
import { join, noteRefusal, take, wayOut, type ProxyClient } from './session.ts'

const VERSION = 5
const WITH_PASSWORD = 2
const CONNECT = 1
const kinds = { ipv4: 1, name: 3, ipv6: 4 } as const

/** What a client is told that is not connected, by the numbers of the protocol. */
const failure = { general: 1, notAllowed: 2, unreachable: 4, unknownCommand: 7, unknownKind: 8 } as const

/** The side of the proxy that speaks SOCKS 5, by password: for programs that do not speak HTTP. */
export async function serveSocks(
  socket: Socket,
  find: (token: string) => ProxyClient | undefined,
  outside: Outside,
  known: () => void,
): Promise<void> {
  const read = reader(socket)
  try {
    const session = await welcome(socket, read, find)
    if (session === null) return
    known()
    if (!take(session, socket)) return void socket.destroy()
    const [, command, , kind] = await read(4)
    const host = await hostOf(read, kind)
    const port = (await read(2)).readUInt16BE()
    if (command !== CONNECT) return refuse(socket, failure.unknownCommand)
    if (host === null) return refuse(socket, failure.unknownKind)
    await connect(session, socket, read, { host, port, outside: wayOut(session, outside) })
  } catch {
    socket.destroy() // it went away, or does not speak the protocol
  }
}

async function welcome(socket: Socket, read: Reader, find: (token: string) => ProxyClient | undefined): Promise<ProxyClient | null> {
  const [, count = 0] = await read(2)
  const methods = await read(count)
  if (!methods.includes(WITH_PASSWORD)) return (socket.end(Buffer.from([VERSION, 0xff])), null)
  socket.write(Buffer.from([VERSION, WITH_PASSWORD]))
  const [, userLength = 0] = await read(2)
  await read(userLength)
  const [length = 0] = await read(1)
  const session = find((await read(length)).toString('latin1'))
  if (session === undefined) return (socket.end(Buffer.from([1, 1])), null)
  socket.write(Buffer.from([1, 0]))
  return session
}

async function hostOf(read: Reader, kind: number | undefined): Promise<string | null> {
  if (kind === kinds.ipv4) return [...(await read(4))].join('.')
  if (kind === kinds.name) return (await read((await read(1))[0] ?? 0)).toString('latin1')
  if (kind !== kinds.ipv6) return null
  const bytes = await read(16)
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16))
  return `[${groups.join(':')}]`
}

interface Wanted {
  host: string
  port: number
  outside: Outside
}

async function connect(session: ProxyClient, socket: Socket, read: Reader, { host, port, outside }: Wanted): Promise<void> {
  try {
    const addresses = await addressesOf(session, host, port, outside)
    const far = await dial(addresses, host, port, outside)
    if (socket.destroyed) return void far.destroy()
    socket.write(reply(0))
    read.release()
    join(socket, far)
  } catch (error) {
    noteRefusal(session, error)
    const allowed = error instanceof NotReached && error.why === 'unreachable'
    refuse(socket, error instanceof NotReached ? (allowed ? failure.unreachable : failure.notAllowed) : failure.general)
  }
}

function refuse(socket: Socket, code: number): void {
  socket.end(reply(code))
}

function reply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, kinds.ipv4, 0, 0, 0, 0, 0, 0])
}

interface Reader {
  (bytes: number): Promise<Buffer>
  /** Gives back what was read and not asked for. */
  release(): void
}

/** Reads a stream by the number of bytes; whoever ends it before they have come is an error. */
function reader(socket: Socket): Reader {
  let held = Buffer.alloc(0)
  let wake: (() => void) | undefined
  let ended = false
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    socket.pause()
    wake?.()
  }
  const onEnd = () => {
    ended = true
    wake?.()
  }
  socket.on('data', onData).once('close', onEnd).once('end', onEnd)
  const read = async (bytes: number): Promise<Buffer> => {
    while (held.length < bytes) {
      if (ended) throw new Error('it ended')
      const more = new Promise<void>((resolve) => {
        wake = resolve
      })
      socket.resume()
      await more
    }
    const taken = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return taken
  }
  const release = () => {
    socket.off('data', onData)
    if (held.length > 0) socket.unshift(held)
    held = Buffer.alloc(0)
  }
  return Object.assign(read, { release })
}

import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { Outside } from './reach.ts'

/** An internet for a test: names with their addresses, and one server of the test's that is behind every one of them. */
export interface TestOutside extends Outside {
  /** What was asked for and dialled, in order. */
  readonly resolved: string[]
  readonly dialled: string[]
}

/** A name may have another address each time it is asked for: the last of a list of answers stays. */
export function testOutside(names: Readonly<Record<string, readonly (readonly string[])[]>>, port: number): TestOutside {
  const [resolved, dialled]: [string[], string[]] = [[], []]
  return {
    resolved,
    dialled,
    resolve: async (name) => {
      const answers = names[name]
      if (answers === undefined) throw new Error('there is no such name')
      resolved.push(name)
      return answers[Math.min(resolved.filter((other) => other === name).length, answers.length) - 1] ?? []
    },
    connect: (address, to) => {
      dialled.push(`${address} ${to}`)
      return connect(port, '127.0.0.1')
    },
    own: () => [],
  }
}

/** A listener on this machine, closed with the test and whoever is connected to it. */
export async function testListener(
  t: { after(tidy: () => Promise<void>): void },
  onConnection: (socket: Socket) => void,
): Promise<{ server: Server; port: number }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('error', () => undefined).once('close', () => open.delete(socket))
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port } // it listens on a port
}

import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { networkPolicy } from '../src/domain/network/policy.ts'
import { createProxy } from '../src/network/proxy.ts'
import { testListener, testOutside } from '../src/network/test-outside.ts'
import type { Cleanup } from '../src/sandbox/test-folder.ts'
import { type Bench, type Row, quickest } from './report/bench.ts'

const REQUESTS = 20
const TRIES = 10

/** A host of the internet is at least this far away. */
const AWAY_MS = 5

/** What the proxy of a sandbox costs: requests over one connection, made directly and through it. */
export const bench: Bench = { name: 'network', run: measureNetwork }

async function measureNetwork(t: Cleanup): Promise<Row[]> {
  const body = Buffer.alloc(65_536)
  const web = createServer((_, response) => setTimeout(() => response.end(body), AWAY_MS))
  const far = await testListener(t, (socket) => web.emit('connection', socket))
  const proxy = createProxy(testOutside({ 'example.org': [['93.184.216.34']] }, far.port))
  const near = await testListener(t, () => undefined)
  proxy.serve(near.server)
  const session = proxy.open({ policy: networkPolicy(['example.org']), most: 'on' })
  t.after(async () => session.end())
  const { password } = new URL(session.variables(near.port)['HTTP_PROXY'] ?? '')
  const authorization = `Basic ${Buffer.from(`troupe:${password}`).toString('base64')}`
  const best = await quickest(TRIES, {
    direct: () => asks(connect(far.port, '127.0.0.1')),
    tunnel: async () => asks(await tunnelled(near.port, authorization)),
  })
  return [
    {
      what: `${REQUESTS} requests of 64 kB to a host ${AWAY_MS} ms away, through a tunnel of the proxy, over the same made directly`,
      unit: 'ms',
      ours: best.tunnel,
      floor: best.direct,
      budget: { at_most: 1.3 },
    },
  ]
}

async function tunnelled(port: number, authorization: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`CONNECT example.org:80 HTTP/1.1\r\nHost: example.org:80\r\nProxy-Authorization: ${authorization}\r\n\r\n`)
  await once(socket, 'data')
  return socket
}

async function asks(socket: Socket): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  agent.createConnection = () => socket
  const options: RequestOptions = { agent, host: 'example.org', path: '/' }
  for (let asked = 0; asked < REQUESTS; asked++) {
    const sent = request(options).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage] // the event carries it
    await text(response)
  }
  agent.destroy()
}

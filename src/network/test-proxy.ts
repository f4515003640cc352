import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import { networkPolicy, type NetworkSetting } from '../domain/network/policy.ts'
import { createProxy, type ProxySession } from './proxy.ts'
import { testListener, testOutside, type TestOutside } from './test-outside.ts'

export const PUBLIC = '93.184.216.34'

export interface ProxyStage {
  outside: TestOutside
  port: number
  session: ProxySession
  token: string
}

/** A proxy before an internet of the test's; what answers there says what it was asked. */
export async function proxyStage(
  t: TestContext,
  network: NetworkSetting,
  { names = {}, most = true, unknownMs = 15_000 }: { names?: Record<string, string[][]>; most?: NetworkSetting; unknownMs?: number } = {},
): Promise<ProxyStage> {
  const web = createServer((message, response) => {
    response.setHeader('X-Seen', JSON.stringify(message.headers))
    response.end(`${message.method} ${message.url} ${message.headers.host}`)
  })
  const far = await testListener(t, (socket) => web.emit('connection', socket))
  const outside = testOutside({ 'example.org': [[PUBLIC]], 'a.example.org': [[PUBLIC]], 'other.net': [[PUBLIC]], ...names }, far.port)
  const proxy = createProxy(outside, unknownMs)
  const listener = await testListener(t, () => undefined)
  proxy.serve(listener.server)
  const session = proxy.open({ policy: networkPolicy(network), most: networkPolicy(most) })
  t.after(async () => session.end())
  const token = new URL(session.variables(1)['HTTP_PROXY'] ?? '').password
  return { outside, port: listener.port, session, token }
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

export async function closed(socket: Socket): Promise<undefined> {
  if (!socket.destroyed) await new Promise<void>((resolve) => void socket.once('close', () => resolve()))
}

/** Asks for a tunnel; status 0 where the connection was cut without a word. */
export async function tunnel(
  { port, token }: Pick<ProxyStage, 'port' | 'token'> & Partial<ProxyStage>,
  target: string,
): Promise<{ status: number; socket: Socket }> {
  const socket = await open(port)
  const authorization = Buffer.from(`troupe:${token}`).toString('base64')
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${authorization}\r\n\r\n`)
  const first = await Promise.race([once(socket, 'data').catch(() => []), closed(socket)])
  const status = first !== undefined && Buffer.isBuffer(first[0]) ? Number(/^HTTP\/1.1 (\d+)/.exec(first[0].toString())?.[1] ?? 0) : 0
  return { status, socket }
}

export async function speak(socket: Socket): Promise<string> {
  socket.write('GET /inside HTTP/1.1\r\nHost: inner\r\nConnection: close\r\n\r\n')
  return text(socket)
}

export async function plain(
  { port, token }: Pick<ProxyStage, 'port' | 'token'>,
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string; headers: IncomingMessage['headers']; seen: Record<string, string> }> {
  const authorization = `Basic ${Buffer.from(`troupe:${token}`).toString('base64')}`
  const sent = request({
    host: '127.0.0.1',
    port,
    path: url,
    headers: { Host: new URL(url).host, 'Proxy-Authorization': authorization, ...headers },
  })
  sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage] // the event carries it
  const seen = JSON.parse((response.headers['x-seen'] as string | undefined) ?? '{}') as Record<string, string> // set by the test's own server
  return { status: response.statusCode ?? 0, text: await text(response), headers: response.headers, seen }
}

/** Asks a SOCKS proxy to connect; -1 where it does not let us in. */
export async function socks(
  { port, token }: Pick<ProxyStage, 'port' | 'token'>,
  to: { host: string; port: number },
): Promise<{ code: number; socket: Socket }> {
  const socket = await open(port)
  const next = async () => ((await once(socket, 'data')) as [Buffer])[0] // a stream without an encoding
  socket.write(Buffer.from([5, 2, 0, 2]))
  await next()
  socket.write(Buffer.from([1, 6, ...Buffer.from('troupe'), token.length, ...Buffer.from(token)]))
  if ((await next())[1] !== 0) return { code: -1, socket }
  const byAddress = /^[\d.]+$/.test(to.host)
  const host = byAddress ? [1, ...to.host.split('.').map(Number)] : [3, to.host.length, ...Buffer.from(to.host)]
  socket.write(Buffer.from([5, 1, 0, ...host, to.port >> 8, to.port & 0xff]))
  return { code: (await next())[1] ?? -1, socket }
}

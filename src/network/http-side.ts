import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { readPort } from '../domain/network/host.ts'
import { addressesOf, dial, NotReached, type Outside } from './reach.ts'
import { cutWith, join, noteRefusal, take, type ProxyClient } from './session.ts'

type FindSession = (token: string) => ProxyClient | undefined

/** Said between two neighbours on the way, and not passed on. */
const betweenNeighbours = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(' '),
)

/** The header by which a program tells a refusal of ours from an answer of the host. */
const REFUSED = 'X-Troupe-Refused'

/** The side of the proxy that speaks HTTP: tunnels by CONNECT, and plain requests passed on. */
export function httpSide(find: FindSession, outside: Outside) {
  const server = createServer({ maxHeaderSize: 16_384, keepAliveTimeout: 30_000 })
  const waiting = new WeakMap<Duplex, () => void>()
  const whoIs = (message: IncomingMessage): ProxyClient | undefined => {
    const session = find(tokenIn(message.headers['proxy-authorization'] ?? ''))
    if (session !== undefined) waiting.get(message.socket)?.()
    return session
  }
  server.on('connect', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    const session = whoIs(message)
    if (session === undefined) return answerRaw(socket, 407, 'a token is missing or wrong')
    return void tunnel(session, message.url ?? '', socket, head, outside)
  })
  server.on('request', (message, response) => {
    const session = whoIs(message)
    if (session === undefined) return answer(response, 407, 'a token is missing or wrong')
    return void forward(session, message, response, outside)
  })
  server.on('clientError', (_, socket) => socket.destroy())
  return {
    /** Takes over a connection; `known` is told once whoever is there has shown a token. */
    serve: (socket: Socket, known: () => void): void => {
      waiting.set(socket, known)
      server.emit('connection', socket)
      socket.resume()
    },
  }
}

function tokenIn(header: string): string {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(header)?.[1] ?? ''
  return Buffer.from(encoded, 'base64')
    .toString('latin1')
    .replace(/^[^:]*:/, '')
}

async function tunnel(session: ProxyClient, target: string, socket: Duplex, head: Buffer, outside: Outside): Promise<void> {
  socket.on('error', () => undefined)
  if (!take(session, socket)) return answerRaw(socket, 503, 'too many connections at once')
  try {
    const { host, port } = authority(target, null)
    const addresses = await addressesOf(session, host, port, outside)
    const far = await dial(addresses, host, port, outside)
    cutWith(session, far)
    if (socket.destroyed) return void far.destroy()
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) far.write(head)
    join(socket, far)
  } catch (error) {
    noteRefusal(session, error)
    answerRaw(socket, statusOf(error), messageOf(error))
  }
}

/** Connections to a host are kept for the next request of the same command, which most programs send over one. */
const agents = new WeakMap<ProxyClient, Agent>()

function agentOf(session: ProxyClient, outside: Outside): Agent {
  const known = agents.get(session)
  if (known !== undefined) return known
  const agent = new Agent({ keepAlive: true, maxSockets: 64, maxFreeSockets: 8 })
  agent.createConnection = ({ host, port }) => {
    const far = outside.connect(host ?? '', Number(port))
    cutWith(session, far)
    return far
  }
  agents.set(session, agent)
  return agent
}

async function forward(session: ProxyClient, message: IncomingMessage, response: ServerResponse, outside: Outside): Promise<void> {
  if (!take(session, message.socket)) return answer(response, 503, 'too many connections at once')
  try {
    const [, place = '', path = ''] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(message.url ?? '') ?? []
    const { host, port } = authority(place, 80)
    const addresses = await addressesOf(session, host, port, outside)
    const headers = passedOn(message.rawHeaders).filter(([name]) => name.toLowerCase() !== 'host')
    const sent = request({
      host: addresses.find((address) => !address.includes(':')) ?? addresses[0], // most networks carry IPv4
      port,
      agent: agentOf(session, outside),
      method: message.method,
      path: path.startsWith('/') ? path : `/${path}`,
      setHost: false,
      headers: [['Host', place], ...headers].flat(),
    })
    message.once('close', () => message.complete || sent.destroy())
    response.once('close', () => response.writableFinished || sent.destroy())
    sent.once('error', (error) => answer(response, 502, `${host}:${port} cannot be reached: ${error.message}`))
    sent.once('response', (got) => {
      response.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got.rawHeaders).flat())
      pipeline(got, response, () => undefined)
    })
    pipeline(message, sent, () => undefined)
  } catch (error) {
    noteRefusal(session, error)
    answer(response, statusOf(error), messageOf(error))
  }
}

/** A host and a port as a request names them; anything else in their place is nobody. */
function authority(text: string, usual: number | null): { host: string; port: number } {
  const [, host = '', digits] = /^(\[[^[\]]*\]|[^:[\]@]*)(?::(\d*))?$/.exec(text) ?? []
  const port = digits === undefined || digits === '' ? usual : readPort(digits)
  if (host !== '' && port !== null) return { host, port }
  throw new NotReached('bad_host', text.slice(0, 200), 0, `${JSON.stringify(text.slice(0, 200))} is not a host and a port`)
}

/** Header lines as pairs, without what is for the next neighbour alone. */
function passedOn(raw: readonly string[]): [string, string][] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []))
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.toLowerCase().split(/ *, */))
  return pairs.filter(([name]) => !betweenNeighbours.has(name.toLowerCase()) && !named.includes(name.toLowerCase()))
}

function statusOf(error: unknown): number {
  if (!(error instanceof NotReached)) return 502
  return error.why === 'unreachable' ? 502 : error.why === 'bad_host' ? 400 : 403
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function headersFor(status: number, text: string): Record<string, string> {
  return {
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
    ...(status === 407 && { 'Proxy-Authenticate': 'Basic realm="troupe"' }),
    ...(status === 403 && { [REFUSED]: encodeURI(text.trim()) }),
  }
}

function answer(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy()
  const text = `Troupe: ${message}\n`
  response.writeHead(status, headersFor(status, text)).end(text)
}

function answerRaw(socket: Duplex, status: number, message: string): void {
  const text = `Troupe: ${message}\n`
  const head = Object.entries(headersFor(status, text)).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${reasons[status] ?? 'Refused'}`, ...head, '', text].join('\r\n'))
}

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  403: 'Forbidden',
  407: 'Proxy Authentication Required',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

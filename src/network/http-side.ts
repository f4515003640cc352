import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import { hostText, readHost, readPort } from '../domain/network/host.ts'
import { addressesOf, dial, NotReached, type Outside } from './reach.ts'
import { join, noteRefusal, take, takeRequest, wayOut, type ProxyClient } from './session.ts'

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
    return void tunnel(session, message.url ?? '', socket, head, wayOut(session, outside))
  })
  server.on('request', (message, response) => {
    const session = whoIs(message)
    if (session === undefined) return answer(response, 407, 'a token is missing or wrong')
    return void forward(session, message, response, wayOut(session, outside))
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
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 8 }) // without a queue: Node would serve it for ever once its command has ended
  agent.createConnection = ({ host, port }) => outside.connect(host ?? '', Number(port))
  agents.set(session, agent)
  return agent
}

async function forward(session: ProxyClient, message: IncomingMessage, response: ServerResponse, outside: Outside): Promise<void> {
  if (!take(session, message.socket)) return answer(response, 503, 'too many connections at once')
  if (!takeRequest(session, (then) => response.once('close', then))) return void message.socket.destroy()
  try {
    const [, place = '', path = ''] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(message.url ?? '') ?? []
    const { host, port } = authority(place, 80)
    const framing = framingOf(message)
    const addresses = await addressesOf(session, host, port, outside)
    const sent = request({
      host: addresses.find((address) => !address.includes(':')) ?? addresses[0], // most networks carry IPv4
      port,
      agent: agentOf(session, outside),
      method: message.method,
      path: path.startsWith('/') ? path : `/${path}`,
      setHost: false,
      headers: [
        ['Host', hostHeader(host, port)],
        ...passedOn(message.rawHeaders).filter(([name]) => !/^host$/i.test(name)),
        ...framing,
      ].flat(),
    })
    message.once('close', () => message.complete || sent.destroy())
    response.once('close', () => response.writableFinished || sent.destroy())
    sent.on('error', (error) => answer(response, 502, `${host}:${port} cannot be reached: ${error.message}`))
    sent.once('close', () => response.headersSent || answer(response, 502, `${host}:${port} gave no answer`))
    sent.once('response', (got) => passBack(got, response))
    pipeline(message, sent, () => undefined)
  } catch (error) {
    noteRefusal(session, error)
    answer(response, statusOf(error), messageOf(error))
  }
}

/** A host may answer what no server may say; Node would rather end this process than pass it on. */
function passBack(got: IncomingMessage, response: ServerResponse): void {
  try {
    response.writeHead(got.statusCode ?? 502, got.statusMessage, passedOn(got.rawHeaders).flat())
    pipeline(got, response, () => undefined)
  } catch (error) {
    got.destroy()
    answer(response, 502, `its answer is not valid: ${messageOf(error)}`)
  }
}

/** How the other end tells where a body ends. Without it a body would be the next request to it, to whatever host that names. */
function framingOf({ headers }: IncomingMessage): [string, string][] {
  const coding = headers['transfer-encoding']
  if (coding === undefined) return []
  if (coding.toLowerCase() === 'chunked') return [['Transfer-Encoding', 'chunked']]
  throw new NotReached('bad_host', '', 0, `the transfer encoding ${JSON.stringify(coding.slice(0, 100))} cannot be passed on`)
}

/** In the spelling that was checked: a server may read another one as another host. */
function hostHeader(text: string, port: number): string {
  const host = readHost(text)
  return `${host === null ? text : hostText(host)}${port === 80 ? '' : `:${port}`}`
}

/** A host and a port as a request names them; anything else in their place is nobody. */
function authority(text: string, usual: number | null): { host: string; port: number } {
  const [, host = '', digits] = /^(\[[^[\]]*\]|[^:[\]@]*)(?::(\d*))?$/.exec(text) ?? []
  const port = digits === undefined || digits === '' ? usual : readPort(digits)
  if (host !== '' && port !== null) return { host, port }
  throw new NotReached('bad_host', text.slice(0, 200), 0, `${JSON.stringify(text.slice(0, 200))} is not a host and a port`)
}

/** Header lines as pairs, without what is for the next neighbour alone; the length of a body is never that, whatever the sender says. */
function passedOn(raw: readonly string[]): [string, string][] {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as [string, string]] : []))
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.toLowerCase().split(/ *, */))
  const isDropped = (name: string) => betweenNeighbours.has(name) || (name !== 'content-length' && named.includes(name))
  return pairs.filter(([name]) => !isDropped(name.toLowerCase()))
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
  response.writeHead(status, reasons[status], headersFor(status, text)).end(text)
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

import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { asProblem } from '../src/domain/problem.ts'
import { playScript, type ScriptedStep } from '../src/providers/script/play.ts'
import type { Script, StepInput } from '../src/providers/script/script.ts'
import { anthropicWire } from './wires/anthropic.ts'
import { chatWire } from './wires/chat.ts'
import { googleWire } from './wires/google.ts'
import { responsesWire } from './wires/responses.ts'
import { viewOf } from './wires/view.ts'
import type { ModelWire } from './wires/wire.ts'

export interface ModelServerOptions {
  /** What to answer, in order; without a script every request is answered with `Done.` at once. */
  replies?: readonly StepInput<SeenRequest>[]
  follow?: Script['follow']
  chunk_chars?: number
  /** How long a stream rests between two pieces. */
  pace_ms?: number
  /** What becomes of the bytes of an answer on their way out. */
  garbled?: (answer: Buffer) => Buffer
}

/** A request as it arrived. `cut` comes true when the client closed the connection before it had its answer. */
export interface SeenRequest {
  path: string
  headers: http.IncomingHttpHeaders
  body: Record<string, unknown>
  cut: boolean
}

export interface ModelServer {
  /** The address without a path. */
  url: string
  requests: SeenRequest[]
  /** Connections opened so far. */
  connections(): number
  close(): Promise<void>
}

/** A model server on loopback that plays a script over the real wires of OpenAI, Anthropic and Google. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const player = playScript<SeenRequest>(options.replies ?? [{ text: 'Done.', repeat: true }], options.follow ?? 'order')
  const requests: SeenRequest[] = []
  let connections = 0
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, 400, asProblem(error).message))
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path === '/v1/models') return void response.end(JSON.stringify({ object: 'list', data: [{ id: 'loopback' }] }))
    const wire = wireOf(path)
    if (wire === null) return sendError(response, 404, `no such path: ${path}`)
    const body = (await json(request)) as Record<string, unknown> // every wire sends an object
    const seen: SeenRequest = { path, headers: request.headers, body, cut: false }
    requests.push(seen)
    response.on('close', () => (seen.cut = !response.writableFinished))
    const played = await player.next(viewOf(body), seen)
    await sleep(played.step.delay_ms)
    if (played.fails) return fail(played, wire, response, options)
    const reply = { step: played.step, number: requests.length, chunk_chars: options.chunk_chars ?? 24 }
    response.setHeader('content-type', 'text/event-stream')
    if (options.pace_ms !== undefined) return stream(response, wire(reply), options.pace_ms)
    return send(response, wire(reply).join(''), options)
  }

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function wireOf(path: string): ModelWire | null {
  if (path.includes('/chat/completions')) return chatWire
  if (path.includes('/messages')) return anthropicWire
  if (path.includes('enerateContent')) return googleWire
  return path.includes('/responses') ? responsesWire : null
}

function fail({ step }: ScriptedStep, wire: ModelWire, response: http.ServerResponse, options: ModelServerOptions): void {
  if (typeof step.fail === 'number') {
    if (step.retry_after_ms !== undefined) response.setHeader('retry-after-ms', String(step.retry_after_ms))
    for (const [name, value] of Object.entries(step.headers)) response.setHeader(name, value)
    return sendError(response, step.fail, step.said ?? `scripted status ${step.fail}`, options)
  }
  if (step.fail === 'hang' && step.text === '') return
  response.setHeader('content-type', 'text/event-stream')
  const lines = wire({ step, number: 0, chunk_chars: options.chunk_chars ?? 24 })
  response.write(lines.slice(0, Math.ceil(lines.length / 2)).join(''))
  if (step.fail === 'end') response.end()
  if (step.fail === 'cut') setImmediate(() => response.destroy())
}

function sendError(response: http.ServerResponse, status: number, message: string, options: ModelServerOptions = {}): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  send(response, JSON.stringify({ type: 'error', error: { type: 'error', code: status, status: 'ERROR', message } }), options)
}

async function stream(response: http.ServerResponse, pieces: readonly string[], paceMs: number): Promise<void> {
  for (const piece of pieces) {
    response.write(piece)
    await sleep(paceMs)
  }
  response.end()
}

function send(response: http.ServerResponse, answer: string, { garbled = (bytes) => bytes }: ModelServerOptions): void {
  response.end(garbled(Buffer.from(answer)))
}

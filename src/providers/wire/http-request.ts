import type { ClientRequest, IncomingMessage } from 'node:http'
import { remember } from '../../domain/remember.ts'

/** How long a server may send nothing: until the first byte of its answer, and between two. */
export interface SilenceLimits {
  first_ms: number
  between_ms: number
}

/** The server was silent for longer than its limit. */
export class SilentServer extends Error {
  readonly begun: boolean
  readonly waited_ms: number

  constructor(host: string, begun: boolean, waited_ms: number) {
    super(`${host} sent nothing for ${waited_ms / 1000} s`)
    this.begun = begun
    this.waited_ms = waited_ms
  }
}

/** What goes out. The signal ends the request, and its answer while that is still coming. */
export interface OutgoingRequest {
  method: string
  headers: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
  silence: SilenceLimits
}

type Send = (url: URL, options: { method: string; headers: Record<string, string> }) => ClientRequest

const senders = new Map<string, Send>()

/** Sends a request over a kept-alive connection, without a limit on how long an answer may take that keeps coming; resolves with the head of the answer. */
export function sendRequest(url: URL, outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method, headers, body, signal } = outgoing
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = senderFor(url.protocol)(url, { method, headers })
    const stop = () => request.destroy(signal?.reason instanceof Error ? signal.reason : new Error('stopped'))
    signal?.addEventListener('abort', stop)
    request.on('close', () => signal?.removeEventListener('abort', stop))
    endWhenSilent(request, url.host, outgoing.silence)
    let answered = false
    request.on('response', (response) => {
      answered = true
      resolve(response)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection just as we reused it; that is no failure of the server.
      const stale = request.reusedSocket && error.code === 'ECONNRESET' && !answered
      if (stale && !signal?.aborted) return resolve(sendRequest(url, outgoing))
      return reject(error)
    })
    request.end(body)
  })
}

/** Counts bytes rather than events: many servers send comments while a model thinks. Connecting counts as silence as well. */
function endWhenSilent(request: ClientRequest, host: string, { first_ms, between_ms }: SilenceLimits): void {
  let answer: IncomingMessage | undefined
  let begun = false
  let timer = setTimeout(giveUp, first_ms)
  function giveUp(): void {
    const error = new SilentServer(host, begun, begun ? between_ms : first_ms)
    request.destroy(error)
    answer?.destroy(error)
  }
  function heard(): void {
    if (answer === undefined) return // the head of an answer, or a part of it, is not its beginning
    if (begun) return void timer.refresh()
    begun = answer.readableLength > 0 || answer.readableDidRead
    if (!begun) return
    clearTimeout(timer)
    timer = setTimeout(giveUp, between_ms)
  }
  request.on('response', (response) => (answer = response))
  request.on('socket', (socket) => {
    socket.on('data', heard)
    request.on('close', () => socket.off('data', heard))
  })
  request.on('close', () => clearTimeout(timer))
}

/** Made once per protocol. Importing these modules the usual way would run every getter they export, and with them load all of fetch: 60 ms. */
function senderFor(protocol: string): Send {
  return remember(senders, protocol, () => {
    const web = protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
    const agent = new web.Agent({ keepAlive: true, proxyEnv: process.env })
    return (url, options) => web.request(url, { ...options, agent })
  })
}

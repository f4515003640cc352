import type { ClientRequest, IncomingMessage } from 'node:http'
import { remember } from '../../domain/remember.ts'

/** A server that sends not one byte for this long is taken for dead; local servers may load a model for minutes. */
const SILENT_AT_MOST_MS = 600_000

/** What goes out. The signal ends the request, and its answer while that is still coming. */
export interface OutgoingRequest {
  method: string
  headers: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
}

type Send = (url: URL, options: { method: string; headers: Record<string, string> }) => ClientRequest

const senders = new Map<string, Send>()

/** Sends a request over a kept-alive connection, without a limit on how long a model may think; resolves with the head of the answer. */
export function sendRequest(url: URL, outgoing: OutgoingRequest): Promise<IncomingMessage> {
  const { method, headers, body, signal } = outgoing
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = senderFor(url.protocol)(url, { method, headers })
    const stop = () => request.destroy(signal?.reason instanceof Error ? signal.reason : new Error('stopped'))
    signal?.addEventListener('abort', stop)
    request.on('close', () => signal?.removeEventListener('abort', stop))
    request.setTimeout(SILENT_AT_MOST_MS, () => request.destroy(new Error(`${url.host} was silent for ${SILENT_AT_MOST_MS / 1000} s`)))
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

/** Made once per protocol. Importing these modules the usual way would run every getter they export, and with them load all of fetch: 60 ms. */
function senderFor(protocol: string): Send {
  return remember(senders, protocol, () => {
    const web = protocol === 'https:' ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http')
    const agent = new web.Agent({ keepAlive: true, proxyEnv: process.env })
    return (url, options) => web.request(url, { ...options, agent })
  })
}

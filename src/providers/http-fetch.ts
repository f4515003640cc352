import http from 'node:http'
import https from 'node:https'

/** A server that sends not one byte for this long is taken for dead; local servers may load a model for minutes. */
const SILENT_AT_MOST_MS = 600_000

const agentOptions = { keepAlive: true, proxyEnv: process.env }
const agents = { http: new http.Agent(agentOptions), https: new https.Agent(agentOptions) }

/**
 * `fetch` over kept-alive node:http connections: a third less time per turn than the global one,
 * no five-minute limit on a thinking model, and an abort closes the socket.
 */
export function httpFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input)
  return new Promise((resolve, reject) => {
    const options = {
      method: init.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.signal ? { signal: init.signal } : {}),
    }
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, agent: agents.https })
        : http.request(url, { ...options, agent: agents.http })
    request.setTimeout(SILENT_AT_MOST_MS, () => request.destroy(new Error(`${url.host} was silent for ${SILENT_AT_MOST_MS / 1000} s`)))
    let answered = false
    request.on('response', (response) => {
      answered = true
      resolve(asResponse(response))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed an idle connection just as we reused it; that is no failure of the server.
      const stale = request.reusedSocket && error.code === 'ECONNRESET' && !answered
      if (stale && !init.signal?.aborted) return resolve(httpFetch(input, init))
      return reject(error)
    })
    request.end(init.body)
  })
}

function asResponse(message: http.IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value))
  const status = message.statusCode ?? 502
  const empty = status === 204 || status === 304
  return new Response(empty ? null : bodyOf(message), { status, headers })
}

function bodyOf(message: http.IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.on('data', (chunk: Buffer<ArrayBuffer>) => {
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 0) <= 0) message.pause()
      })
      message.on('end', () => controller.close())
      message.on('error', (error) => controller.error(error))
    },
    pull: () => void message.resume(),
    cancel: () => void message.destroy(),
  })
}

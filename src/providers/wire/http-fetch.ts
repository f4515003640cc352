import type { IncomingMessage } from 'node:http'
import { Problem } from '../../domain/problem.ts'
import { sendRequest, type SilenceLimits } from './http-request.ts'

/**
 * `fetch` over kept-alive node:http connections: a third less time per turn than the global one,
 * our own limits on silence, and an abort closes the socket.
 */
export function httpFetch(silence: SilenceLimits): typeof fetch {
  return (input, init) => fetchOnce(input, init, silence)
}

async function fetchOnce(input: string | URL | Request, init: RequestInit = {}, silence: SilenceLimits): Promise<Response> {
  if (init.body && typeof init.body !== 'string') throw new Problem('internal', 'only text can be sent to a model server')
  const response = await sendRequest(new URL(input instanceof Request ? input.url : input), {
    method: init.method ?? 'GET',
    headers: Object.fromEntries(new Headers(init.headers)),
    body: init.body ?? undefined,
    signal: init.signal ?? undefined,
    silence,
  })
  return asResponse(response)
}

function asResponse(message: IncomingMessage): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(message.headers)) headers.set(name, String(value))
  const status = message.statusCode ?? 502
  const empty = status === 204 || status === 304
  return new Response(empty ? null : bodyOf(message), { status, headers })
}

function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
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

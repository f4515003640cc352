import type { IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { chatBody } from './chat-body.ts'
import { chatReader } from './chat-reader.ts'
import type { ProviderConnection } from '../connect.ts'
import type { FailedAnswer } from '../failure.ts'
import { sendRequest } from './http-request.ts'
import { objectFields, textValue } from './json-fields.ts'
import type { Wire } from './wire.ts'

/** No error message is longer; a web page in its place is not read to its end. */
const ERROR_CHARS = 20_000

/** OpenAI's chat completions as nearly every server speaks them, with nothing between the socket and the reply. */
export function chatWire(connection: ProviderConnection): Wire {
  const { name, base_url, key, silence } = connection
  const url = new URL(`${base_url}/chat/completions`)
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'troupe',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  return async (call, take) => {
    const { body, ignored } = chatBody(call, connection)
    if (ignored !== null) take({ type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'reasoning', details: ignored }] })
    const answer = await sendRequest(url, { method: 'POST', headers, body, signal: call.abortSignal, silence })
    const status = answer.statusCode ?? 502
    if (status >= 300) throw await failedAnswer(answer, status)
    const reader = chatReader(name, take)
    const events = createParser({ onEvent: ({ data }) => reader.read(data) })
    await readText(answer, (text) => events.feed(text))
    reader.end()
  }
}

/** Hands on the text of an answer as it comes. Whoever refuses a piece of it gets no more, and the connection is closed. */
function readText(answer: IncomingMessage, onText: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      try {
        onText(text)
      } catch (error) {
        reject(error)
        answer.destroy()
      }
    })
    answer.on('end', resolve)
    answer.on('error', reject)
  })
}

async function failedAnswer(answer: IncomingMessage, status: number): Promise<FailedAnswer> {
  let body = ''
  await readText(answer, (text) => {
    body += text
    if (body.length > ERROR_CHARS) throw new Error('too long')
  }).catch(() => undefined) // what came of the message is all there is to tell
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  return { status, message: messageIn(body), body, headers }
}

/** Servers agree on `error.message` as little as people do. */
function messageIn(body: string): string {
  try {
    const { error, message, detail } = objectFields(JSON.parse(body))
    return [objectFields(error)['message'], error, message, detail].map(textValue).find((said) => said !== '') ?? body
  } catch {
    return body
  }
}

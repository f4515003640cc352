import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'
import { parsedJson } from '../domain/json-in-text.ts'

/** A line longer than this is no message of ours: the largest context is 256 KiB. */
const MAX_LINE = 8 * 1024 * 1024

/**
 * One message per line, on any pair of streams. The SDK's own transport checks every message with a schema before the protocol,
 * which does not trust its transport, checks it again; and it adds and removes two listeners for every line it writes.
 */
export function lineTransport(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Transport {
  const take = messageReader((message) => transport.onmessage?.(message), fail)
  let closed = false

  function fail(error: Error): void {
    transport.onerror?.(error)
    void close()
  }

  async function close(): Promise<void> {
    if (closed) return
    closed = true
    input.removeListener('data', take)
    input.pause()
    transport.onclose?.()
  }

  const transport: Transport = {
    async start() {
      input.setEncoding('utf8')
      input.on('data', take)
      for (const sign of ['end', 'close']) input.once(sign, () => void close())
      input.on('error', fail)
      output.on('error', fail) // it stays, because a late write to a client that hung up fails too
    },
    async send(message) {
      if (closed) throw new Error('the client has hung up')
      if (output.write(`${JSON.stringify(message)}\n`)) return
      await new Promise((resolve) => output.once('drain', resolve))
    },
    close,
  }
  return transport
}

/** Puts lines together from chunks of text. What is no JSON is passed over: a client's stray print must not end the connection. */
function messageReader(onMessage: (message: JSONRPCMessage) => void, onEndless: (error: Error) => void): (chunk: string) => void {
  let begun = ''
  return (chunk) => {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      const message = parsedJson(begun + line) as JSONRPCMessage | undefined // the protocol looks at the shape of what it is given
      begun = ''
      if (message !== undefined) onMessage(message)
    }
    begun += last
    if (begun.length > MAX_LINE) onEndless(new Error(`a line of more than ${MAX_LINE} characters is no message`))
  }
}

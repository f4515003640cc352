import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server'

/** A line longer than this is no message of ours: the largest context is 256 KiB. */
const MAX_LINE = 8 * 1024 * 1024

/**
 * One message per line, on any pair of streams. The SDK's own transport checks every message with a schema before the protocol,
 * which does not trust its transport, checks it again; and it adds and removes two listeners for every line it writes.
 */
export function lineTransport(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Transport {
  let begun = ''
  let closed = false

  function take(chunk: string): void {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      read(begun + line)
      begun = ''
    }
    begun += last
    if (begun.length > MAX_LINE) fail(new Error(`a line of more than ${MAX_LINE} characters is no message`))
  }

  /** What is no JSON is passed over: a client's stray print must not end the connection. */
  function read(line: string): void {
    let message: JSONRPCMessage
    try {
      message = JSON.parse(line) // the protocol looks at its shape
    } catch {
      return
    }
    transport.onmessage?.(message)
  }

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

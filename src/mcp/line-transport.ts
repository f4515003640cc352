import type { Transport } from '@modelcontextprotocol/server'
import { readLine } from './misfit.ts'

/** A line longer than this is no message of ours: the largest context is 256 KiB. */
const MAX_LINE = 8 * 1024 * 1024

/**
 * One message per line, on any pair of streams. The SDK's own transport leaves a client waiting that sent what is no message,
 * and it adds and removes two listeners for every line it writes.
 */
export function lineTransport(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Transport {
  const take = lineReader(takeLine, fail)
  let closed = false

  function takeLine(line: string): void {
    const read = readLine(line)
    if (read === null || closed) return
    if ('message' in read) transport.onmessage?.(read.message)
    else write(read.answer)
  }

  function write(message: object): boolean {
    return output.write(`${JSON.stringify(message)}\n`)
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
      if (write(message)) return
      await new Promise((resolve) => output.once('drain', resolve))
    },
    close,
  }
  return transport
}

/** Puts lines together from chunks of text. */
function lineReader(onLine: (line: string) => void, onEndless: (error: Error) => void): (chunk: string) => void {
  let begun = ''
  return (chunk) => {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      const whole = begun + line
      begun = ''
      onLine(whole)
    }
    begun += last
    if (begun.length > MAX_LINE) onEndless(new Error(`a line of more than ${MAX_LINE} characters is no message`))
  }
}

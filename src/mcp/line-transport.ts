import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
  isJSONRPCNotification,
  isJSONRPCResponse,
} from '@modelcontextprotocol/server'
import { type LineError, readLine, tooLong } from './line-error.ts'

/** A longer line cannot be a message of ours: the largest context is 256 KiB. */
const MAX_LINE = 8 * 1024 * 1024

/** A call that waits for something else than us must not keep a server alive whose client has gone. */
const DRAIN_MS = 30_000

/** A transport that tells when it is closed. */
export interface LineTransport extends Transport {
  closed: Promise<void>
}

/**
 * One message per line, on any pair of streams. The SDK's own transport leaves a client waiting that sent what is no message,
 * and it adds and removes two listeners for every line it writes. When the input ends, what was asked before is still answered.
 */
export function lineTransport(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): LineTransport {
  const take = lineReader(takeLine, () => writeLine(output, tooLong(MAX_LINE)))
  const closing = Promise.withResolvers<void>()
  const open = openCalls()
  const is = { closed: false, ended: false }

  function takeLine(line: string): void {
    if (is.closed) return
    for (const read of open.taken(readLine(line))) {
      if ('message' in read) transport.onmessage?.(read.message)
      else answer(read.answer)
    }
  }

  function answer(message: JSONRPCMessage | LineError): boolean {
    const told = open.answered(message)
    const sent = told === null || writeLine(output, told)
    if (is.ended && open.isEmpty()) void close()
    return sent
  }

  function end(): void {
    is.ended = true
    if (open.isEmpty()) void close()
    else setTimeout(() => void close(), DRAIN_MS).unref()
  }

  async function close(): Promise<void> {
    if (is.closed) return
    is.closed = true
    input.removeListener('data', take)
    input.pause()
    transport.onclose?.()
    closing.resolve()
  }

  const transport: LineTransport = {
    closed: closing.promise,
    start: async () => listen(input, output, { take, end, fail: (error) => (transport.onerror?.(error), void close()) }),
    async send(message) {
      if (is.closed) throw new Error('the client has hung up')
      if (is.ended && isJSONRPCRequest(message)) return close() // nobody is left to answer it
      if (!answer(message)) await new Promise((resolve) => output.once('drain', resolve))
    },
    close,
  }
  return transport
}

interface Listening {
  take: (chunk: string) => void
  end: () => void
  fail: (error: Error) => void
}

function listen(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, { take, end, fail }: Listening): void {
  input.setEncoding('utf8')
  input.on('data', take)
  for (const sign of ['end', 'close']) input.once(sign, end)
  input.on('error', fail)
  output.on('error', fail) // it stays, because a late write to a client that hung up fails too
}

function writeLine(output: NodeJS.WritableStream, message: object): boolean {
  return output.write(`${JSON.stringify(message)}\n`)
}

/** Puts lines together from chunks of text. Of a line that is too long the rest is passed over. */
function lineReader(onLine: (line: string) => void, onTooLong: () => void): (chunk: string) => void {
  let begun = ''
  let skipping = false
  const keep = (part: string) => {
    if (skipping) return
    begun += part
    if (begun.length <= MAX_LINE) return
    begun = ''
    skipping = true
    onTooLong()
  }
  return (chunk) => {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      keep(line)
      const whole = begun
      const told = skipping
      begun = ''
      skipping = false
      if (!told) onLine(whole)
    }
    keep(last)
  }
}

type Read = Exclude<ReturnType<typeof readLine>, null>[number]

/** What was asked and not answered yet, in both directions; a batch is answered as a whole. */
function openCalls() {
  const ids = new Set<unknown>()
  const asked = new Set<unknown>()
  const batches = new Set<{ waits: Set<unknown>; answers: object[] }>()

  function note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) ids.add(message.id)
    if (isJSONRPCResponse(message)) asked.delete(message.id)
    // What was cancelled is not answered any more.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') ids.delete(message.params?.['requestId'])
  }

  return {
    taken(read: ReturnType<typeof readLine>): readonly Read[] {
      const all = read ?? []
      const messages = all.flatMap((one) => ('message' in one ? [one.message] : []))
      for (const message of messages) note(message)
      const requests = messages.filter((message) => isJSONRPCRequest(message))
      if (all[0]?.batch !== true || requests.length === 0) return all
      const answers = all.flatMap((one) => ('answer' in one ? [one.answer] : []))
      batches.add({ waits: new Set(requests.map(({ id }) => id)), answers })
      return all.filter((one) => 'message' in one)
    },

    /** What is to be written now that this is said; null while the rest of its batch is waited for. */
    answered(message: JSONRPCMessage | LineError): object | null {
      if ('method' in message) {
        if (isJSONRPCRequest(message)) asked.add(message.id)
        return message
      }
      ids.delete(message.id)
      const batch = [...batches].find(({ waits }) => waits.delete(message.id))
      if (batch === undefined) return message
      batch.answers.push(message)
      if (batch.waits.size > 0) return null
      batches.delete(batch)
      return batch.answers
    },

    /** Nothing is owed to the client, or what is owed waits for an answer that a client which has gone cannot give. */
    isEmpty: () => ids.size === 0 || asked.size >= ids.size,
  }
}

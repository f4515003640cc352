import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { Problem } from '../domain/problem.ts'
import type { OpenProcess } from '../sandbox/open-process.ts'

/** A longer message is for nobody to read, and everything sent while nothing was asked is a flood. */
const MESSAGE_BYTES = 16 * 1024 * 1024
const UNASKED_BYTES = 64 * 1024 * 1024

/** Lines that are not messages, such as a greeting; with more of them it is not a server of tools. */
const STRAY_LINES = 100

const LINE_BREAK = 0x0a

/** A transport that can say why it gave its server up. */
interface ProcessTransport extends Transport {
  fault(): Problem | null
}

/** One message per line, over the open ends of a process. It is given up where it sends what nobody can take. */
export function processTransport(process: OpenProcess, read: (line: string) => JSONRPCMessage): ProcessTransport {
  let fault: Problem | null = null
  let isClosed = false
  const close = async () => {
    if (isClosed) return
    isClosed = true
    await process.stop()
    transport.onclose?.()
  }
  const lines = lineReader(
    (line) => transport.onmessage?.(read(line)),
    (why) => {
      fault ??= new Problem('provider_failed', `${why}; it was stopped`)
      void close()
    },
  )
  const transport: ProcessTransport = {
    start: async () => {
      process.stdout.on('data', (chunk: Buffer) => {
        if (!isClosed) lines.hear(chunk)
      })
      process.stdin.on('error', () => undefined) // it may end before it has read
      void process.ended.catch(() => undefined).then(close)
    },
    send: async (message) => {
      lines.asked()
      await new Promise<void>((resolve, reject) =>
        process.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve())),
      )
    },
    close,
    fault: () => fault,
  }
  return transport
}

/** Cuts what comes into lines, and says when it is too much. */
function lineReader(take: (line: string) => void, giveUp: (why: string) => void) {
  let parts: Buffer[] = []
  let [bytes, unasked, stray] = [0, 0, 0]
  let isOver = false
  const end = (why: string) => {
    isOver = true
    parts = []
    giveUp(why)
  }
  const takeLine = (line: string) => {
    if (line.trim() === '') return
    try {
      take(line)
    } catch {
      if (++stray > STRAY_LINES) end('it prints what is not MCP')
    }
  }
  return {
    /** Something was asked, so that an answer is expected. */
    asked: () => void (unasked = 0),
    hear: (chunk: Buffer) => {
      unasked += chunk.length
      if (unasked > UNASKED_BYTES) return end(`it sent more than ${UNASKED_BYTES / 1024 ** 2} MiB that nobody asked for`)
      let rest = chunk
      for (let at = rest.indexOf(LINE_BREAK); at !== -1; at = rest.indexOf(LINE_BREAK)) {
        const line = Buffer.concat([...parts, rest.subarray(0, at)]).toString('utf8')
        parts = []
        bytes = 0
        rest = rest.subarray(at + 1)
        takeLine(line)
        if (isOver) return
      }
      bytes += rest.length
      if (rest.length > 0) parts.push(rest)
      if (bytes > MESSAGE_BYTES) end(`it sent a message of more than ${MESSAGE_BYTES / 1024 ** 2} MiB`)
    },
  }
}

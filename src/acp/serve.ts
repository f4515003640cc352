import { Readable, Writable } from 'node:stream'
import { ndJsonStream } from '@agentclientprotocol/sdk'
import { acpAgent, type AcpOptions } from './agent.ts'
import type { OpenServices } from './services.ts'
import { openConnection } from './session.ts'

/** Larger than any prompt with images that we take. */
const MESSAGE_BYTES = 64 * 1024 * 1024

/** Serves the editor on stdin and stdout until it hangs up. Nothing but the protocol is ever written to stdout. */
export async function serveAcp(open: OpenServices, options: AcpOptions): Promise<void> {
  const connection = openConnection(open)
  const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array> // stdin gives buffers: no encoding is set
  const stream = ndJsonStream(Writable.toWeb(process.stdout), input, { maxMessageBytes: MESSAGE_BYTES })
  try {
    await acpAgent(connection, options).connect(stream).closed
  } finally {
    await connection.close()
  }
}

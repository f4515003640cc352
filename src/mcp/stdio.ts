import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { lineTransport } from './line-transport.ts'
import { createWorkflowServer } from './server.ts'
import type { McpServices } from './tool.ts'

/** Serves the client on stdin and stdout until it hangs up. Nothing but the protocol is ever written to stdout. */
export async function serveMcpStdio(services: McpServices, input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  const hungUp = Promise.withResolvers<void>()
  for (const sign of ['end', 'close', 'error']) input.once(sign, () => hungUp.resolve())
  const handle = serveStdio(() => createWorkflowServer(services), {
    transport: lineTransport(input, process.stdout),
    onerror: (error) => process.emitWarning(error.message, { code: 'mcp' }),
  })
  await hungUp.promise
  await handle.close()
}

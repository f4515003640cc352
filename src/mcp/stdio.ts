import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { lineTransport } from './line-transport.ts'
import { createWorkflowServer } from './server.ts'
import type { McpServices } from './tool.ts'

/** Serves the client on stdin and stdout until it hangs up. Nothing but the protocol is ever written to stdout. */
export async function serveMcpStdio(services: McpServices): Promise<void> {
  const transport = lineTransport(process.stdin, process.stdout)
  const handle = serveStdio(() => createWorkflowServer(services), {
    transport,
    onerror: (error) => process.emitWarning(error.message, { code: 'mcp' }),
  })
  await transport.closed
  await handle.close()
}

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { lineTransport } from './line-transport.ts'
import { createWorkflowServer } from './server.ts'
import type { McpServices } from './tool.ts'

/** Serves the client on stdin and stdout until it hangs up. Nothing but the protocol is ever written to stdout. */
export async function serveMcpStdio(services: McpServices): Promise<void> {
  const { stdin, stdout } = process
  const hungUp = Promise.withResolvers<void>()
  for (const sign of ['end', 'close', 'error']) stdin.once(sign, () => hungUp.resolve())
  const handle = serveStdio(() => createWorkflowServer(services), {
    transport: lineTransport(stdin, stdout),
    onerror: (error) => process.emitWarning(error.message, { code: 'mcp' }),
  })
  await hungUp.promise
  await handle.close()
}

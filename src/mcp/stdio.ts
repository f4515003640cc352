import { setFlagsFromString } from 'node:v8'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createWorkflowServer } from './server.ts'
import type { McpServices } from './tool.ts'

/** Serves the client on stdin and stdout until it hangs up. Nothing but the protocol is ever written to stdout. */
export async function serveMcpStdio(services: McpServices, input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  staySmall()
  const hungUp = Promise.withResolvers<void>()
  for (const sign of ['end', 'close', 'error']) input.once(sign, () => hungUp.resolve())
  const handle = serveStdio(() => createWorkflowServer(services), {
    onerror: (error) => process.emitWarning(error.message, { code: 'mcp' }),
  })
  await hungUp.promise
  await handle.close()
}

/**
 * A client keeps its server for days, and most of its calls leave nothing behind. Left alone the engine lets the space for new objects
 * grow to 128 MiB; kept as it starts, the server stays at a third of that and a call takes no longer.
 */
function staySmall(): void {
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20']) setFlagsFromString(flag)
}

import { createMcpHandler } from '@modelcontextprotocol/server'
import { createWorkflowServer } from './server.ts'
import type { McpServices } from './tool.ts'

/** Larger than the largest context with everything around it; the server in front may allow less. */
const MAX_BODY_BYTES = 2 * 1024 * 1024

/** MCP over HTTP as one fetch-style function. It checks no token, Host or Origin: mount it behind what does. */
export function createMcpFetch(services: McpServices): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(() => createWorkflowServer(services), { maxRequestBodySize: MAX_BODY_BYTES })
  return (request) => handler.fetch(request)
}

import type { Hono } from 'hono'
import type { McpServices } from '../mcp/tool.ts'

/** Answers MCP under `/mcp`, which the app guards. The protocol is loaded by the first client that speaks it. */
export function mountMcp(app: Hono, services: McpServices): void {
  let answer: Promise<(request: Request) => Promise<Response>> | undefined
  app.all('/mcp', async (c) => {
    answer ??= import('../mcp/http.ts').then(({ createMcpFetch }) => createMcpFetch(services))
    return (await answer)(c.req.raw)
  })
}

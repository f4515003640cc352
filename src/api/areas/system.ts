import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'
import type { SystemContext } from '../system.ts'

/** The server itself. */
export function systemArea(server: ServerContext): HttpArea<SystemContext> {
  return { scope: {}, within: (_call, work) => work({ ...server, sandbox: server.context.agent.sandbox }) }
}

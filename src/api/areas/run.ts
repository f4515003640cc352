import type { RunsContext } from '../../agent/runs.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** Every run in the store of the server. */
export function runArea({ driver }: ServerContext): HttpArea<RunsContext> {
  return { scope: {}, within: (_call, work) => work({ driver }) }
}

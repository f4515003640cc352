import { unbounded } from '../../domain/bounds.ts'
import { Problem } from '../../domain/problem.ts'
import { closest } from '../../domain/text/closest.ts'
import { connectServer, type Connection } from '../../outside/connection.ts'
import { writeReview, type ReviewedTool } from '../../outside/review-file.ts'
import type { OutsideServer } from '../../outside/server.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { loadConfig, type LoadedConfig } from '../load.ts'
import type { SettingsContext } from '../settings.ts'
import { commandSettings, outsideServers } from '../wiring.ts'

/** Whose servers are meant, and whether something is only tried. */
export interface ServersContext extends SettingsContext {
  dry?: boolean
  signal?: AbortSignal
}

/** The settings here and the servers they name. */
export async function readServers(context: ServersContext): Promise<{ loaded: LoadedConfig; servers: OutsideServer[] }> {
  const loaded = await loadConfig(context)
  return { loaded, servers: outsideServers(loaded, context.env) }
}

export function needServer(servers: readonly OutsideServer[], name: string): OutsideServer {
  const found = servers.find((server) => server.name === name)
  if (found !== undefined) return found
  const names = servers.map((server) => server.name)
  const near = closest(name, names)
  const known = names.length === 0 ? 'none is configured' : `there are ${names.join(', ')}`
  throw new Problem('not_found', `there is no MCP server ${name}; ${near === null ? known : `did you mean ${near}?`}`, {
    next: [{ operation: names.length === 0 ? 'mcp.add' : 'mcp.list' }],
  })
}

/** Starts or reaches a server, only to look: its workspace can be read and nothing in it changed. */
export async function visitServer<Result>(
  context: ServersContext,
  loaded: LoadedConfig,
  server: OutsideServer,
  look: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const stopping = new AbortController()
  const signal = context.signal === undefined ? stopping.signal : AbortSignal.any([stopping.signal, context.signal])
  const place = {
    root: context.cwd,
    access: 'read' as const,
    bounds: unbounded,
    commands: commandSettings(loaded),
    sandbox: await detectSandbox(),
  }
  const connection = await connectServer({ ...server, reviewed: null }, place, signal)
  try {
    return await look(connection)
  } finally {
    await connection.close()
    stopping.abort()
  }
}

/** Keeps what the user accepted of a server. */
export async function acceptTools({ file }: OutsideServer, tools: readonly ReviewedTool[], era: Connection['era']): Promise<void> {
  await writeReview(file, { reviewed_at: new Date().toISOString(), tools: [...tools], unreviewed: [], era })
}

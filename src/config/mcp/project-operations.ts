import * as z from 'zod'
import { NetworkSetting } from '../../domain/network/policy.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { ToolClass } from '../../outside/settings.ts'
import { readTrustedEntries, writeTrustedEntries } from '../../outside/trust-file.ts'
import { loadConfig, type LoadedConfig } from '../load.ts'
import { outsideServers, projectServers, trustFile } from '../wiring.ts'
import { acceptTools, visitServer, type ServersContext } from './context.ts'
import { rolesHere } from './roles-here.ts'
import { ServerView, serverView } from './view.ts'

export const trustServer = defineOperation({
  name: 'mcp.trust',
  summary: 'Trust exactly this server of the project, start it once and see its tools',
  by: ['person'],
  effect: 'change',
  command: 'mcp trust <name>',
  input: z.strictObject({
    name: z.string(),
    entry: z.string().optional().describe('the digest that the list shows: nothing is started if the entry is another by now'),
    may: ToolClass.optional().describe('what all its tools may do'),
    network: NetworkSetting.optional().describe('whom it reaches; nobody when left out'),
    mounts: z.array(z.string()).default([]).describe('folders outside the workspace that it may read'),
    trust_hints: z.boolean().default(false).describe('take its word for which tools only read'),
  }),
  output: ServerView,
  example: { name: 'tracker', may: 'read' },
  tell: ({ name, tools }) => `Trusted ${name} with ${counted(tools.length, 'tool')}: ${tools.map((tool) => tool.name).join(', ')}`,
  run: async (context: ServersContext, { name, entry, network = 'off', ...given }) => {
    const loaded = await loadConfig(context)
    const found = needEntry(loaded, context, name)
    if (entry !== undefined && entry !== found.digest)
      throw new Problem('conflict', `the entry ${name} of the project is another now; look at it again`, {
        details: { entry: found.digest },
      })
    if (outsideServers(loaded, context.env).some((server) => server.name === name && server.from === 'user'))
      throw new Problem('conflict', `you have a server ${name} of your own, which counts; remove it first`)
    const leave = { network, tools: {}, ...given }
    const server = { ...found, settings: { ...found.settings, ...leave } }
    const { tools, era } = await visitServer(context, loaded, server, async (connection) => ({
      tools: connection.tools,
      era: connection.era,
    }))
    const file = trustFile(loaded)
    if (context.dry !== true) {
      await acceptTools(server, tools, era)
      await writeTrustedEntries(file, { ...readTrustedEntries(file), [found.digest]: { name, root: context.cwd, ...leave } })
    }
    const reviewed = { reviewed_at: new Date().toISOString(), tools: [...tools], unreviewed: [] }
    return serverView({ ...server, reviewed }, await rolesHere(loaded, context), { ...found, isTrusted: true })
  },
})

function needEntry(loaded: LoadedConfig, { env }: ServersContext, name: string) {
  const { servers, faults } = projectServers(loaded, env)
  const found = servers.find((server) => server.name === name)
  if (found !== undefined) return found
  const known = servers.map((server) => server.name).join(', ') || 'none'
  throw new Problem('not_found', `the project names no server ${name}; it names ${known}${faults.map((fault) => `; ${fault}`).join('')}`)
}

/** Takes an entry out of those the user trusts. */
export async function distrust(loaded: LoadedConfig, digest: string): Promise<void> {
  const file = trustFile(loaded)
  const { [digest]: _, ...others } = readTrustedEntries(file)
  await writeTrustedEntries(file, others)
}

/** Says what a trusted server of the project, or a tool of it, may do. */
export async function classTrusted(
  loaded: LoadedConfig,
  { env }: ServersContext,
  name: string,
  may: ToolClass | 'off' | 'unset',
  tool?: string,
): Promise<void> {
  const { digest } = needEntry(loaded, { env, cwd: '' }, name)
  const file = trustFile(loaded)
  const trusted = readTrustedEntries(file)
  const was = trusted[digest]
  if (was === undefined) throw new Problem('conflict', `${name} is not trusted`)
  const { [tool ?? '']: _, ...tools } = was.tools
  const { may: before, ...others } = was
  const ofServer = tool === undefined ? (may === 'unset' || may === 'off' ? {} : { may }) : before === undefined ? {} : { may: before }
  const ofTools = tool === undefined || may === 'unset' ? tools : { ...tools, [tool]: may }
  await writeTrustedEntries(file, { ...trusted, [digest]: { ...others, ...ofServer, tools: ofTools } })
}

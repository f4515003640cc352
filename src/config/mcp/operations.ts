import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { NetworkSetting } from '../../domain/network/policy.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { digestOf, serverFileName, type ReviewedTool } from '../../outside/review-file.ts'
import { valuesOf, type OutsideServer } from '../../outside/server.ts'
import { differences } from '../../outside/session.ts'
import { ServerName, ServerSettings, ToolClass } from '../../outside/settings.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedConfig } from '../load.ts'
import { changeUserFile } from '../settings.ts'
import { projectServers, reviewFolder } from '../wiring.ts'
import { classTrusted, distrust, trustServer } from './project-operations.ts'
import { importServers } from './import-operation.ts'
import { acceptTools, visitServer, needServer, readServers, type ServersContext } from './context.ts'
import { rolesHere } from './roles-here.ts'
import { ServerView, serverView, shownText } from './view.ts'

const listServers = defineOperation({
  name: 'mcp.list',
  summary: 'List the MCP servers, their tools, what each may do and which roles may call it',
  by: ['person'],
  effect: 'read',
  command: 'mcp list',
  input: z.strictObject({}),
  output: z.object({
    servers: z.array(ServerView),
    faults: z.array(z.string()).describe('what cannot be used of the file of the project'),
  }),
  example: {},
  tell: ({ servers }) => servers.map(({ name, state, tools }) => `${name}: ${state}, ${counted(tools.length, 'tool')}`).join('\n'),
  run: async (context: ServersContext) => {
    const { loaded, servers } = await readServers(context)
    const roles = await rolesHere(loaded, context)
    const project = projectServers(loaded, context.env)
    const own = servers.filter(({ from }) => from !== 'project').map((server) => serverView(server, roles))
    return { servers: [...own, ...project.servers.map((server) => serverView(server, roles, server))], faults: project.faults }
  },
})

const addServer = defineOperation({
  name: 'mcp.add',
  summary: 'Add an MCP server to your settings, after it was started once to see its tools',
  by: ['person'],
  effect: 'change',
  command: 'mcp add <name> [command...]',
  input: z.strictObject({
    name: ServerName.describe('what you call it'),
    command: z.array(z.string()).default([]).describe('the program of a local server and its arguments'),
    url: ServerSettings.shape.url,
    may: ToolClass.optional().describe('what all its tools may do; left out, each needs every permission and asks each time'),
    env: z.array(z.string()).default([]).describe('variables it is given, by name'),
    mounts: z.array(z.string()).default([]).describe('folders outside the workspace that it may read'),
    network: NetworkSetting.optional().describe('whom it reaches: off, on or a list of domains'),
    trust_hints: z.boolean().default(false).describe('take its word for which tools only read'),
  }),
  output: ServerView,
  example: { name: 'files', command: ['mcp-server-filesystem', '{workspace}'], may: 'read' },
  tell: ({ name, tools }) => `Added ${name} with ${counted(tools.length, 'tool')}: ${tools.map((tool) => tool.name).join(', ')}`,
  run: async (context: ServersContext, { name, command: [program, ...args], ...given }) => {
    const { loaded, servers } = await readServers(context)
    if (servers.some((server) => server.name === name))
      throw new Problem('conflict', `there is an MCP server ${name} already; remove it first, or choose another name`)
    const entry = withoutDefaults({ ...(program !== undefined && { command: program, args }), ...given })
    const read = ServerSettings.safeParse(entry)
    if (!read.success) throw new Problem('bad_input', `${name} ${read.error.issues.map(({ message }) => message).join('; ')}`)
    const server = unreviewedServer(loaded, name, read.data, context)
    const found = await visitServer(context, loaded, server, async ({ tools, era }) => ({ tools, era }))
    if (context.dry !== true) {
      await changeUserFile(context, (document) => document.setIn(['mcp_servers', name], document.createNode(entry)))
      await acceptTools(server, found.tools, found.era)
    }
    const reviewed = { reviewed_at: new Date().toISOString(), unreviewed: [], ...found, tools: [...found.tools] }
    return serverView({ ...server, reviewed }, await rolesHere(loaded, context))
  },
})

const removeServer = defineOperation({
  name: 'mcp.remove',
  summary: 'Take an MCP server out of your settings, or one of the project out of those you trust',
  by: ['person'],
  effect: 'change',
  command: 'mcp remove <name>',
  input: z.strictObject({ name: z.string() }),
  output: z.object({ name: z.string() }),
  example: { name: 'files' },
  tell: ({ name }) => `Removed ${name}`,
  run: async (context: ServersContext, { name }) => {
    const { loaded, servers } = await readServers(context)
    const { file, from } = needServer(servers, name)
    if (context.dry === true) return { name }
    if (from === 'user') await changeUserFile(context, (document) => document.deleteIn(['mcp_servers', name]))
    else await distrust(loaded, projectServers(loaded, context.env).servers.find((each) => each.name === name)?.digest ?? '')
    await rm(file, { force: true })
    return { name }
  },
})

const reviewServer = defineOperation({
  name: 'mcp.review',
  summary: 'Start an MCP server to see what is new or changed of its tools, and accept exactly that',
  by: ['person'],
  effect: 'change',
  command: 'mcp review <name>',
  input: z.strictObject({
    name: z.string(),
    accept: z.string().optional().describe('the digest that a review without it has shown: these tools may be used from now on'),
  }),
  output: z.object({
    name: z.string(),
    changes: z.array(z.object({ name: z.string(), what: z.enum(['new', 'changed', 'gone']), description: z.string() })),
    digest: z.string().describe('of all its tools as they are now'),
    accepted: z.boolean(),
  }),
  example: { name: 'files' },
  tell: ({ name, changes, digest, accepted }) =>
    [
      changes.length === 0 ? `${name} is as you reviewed it` : `${name}:`,
      ...changes.map((tool) => `  ${tool.what} ${tool.name}: ${tool.description}`),
      ...(accepted ? ['Accepted'] : changes.length === 0 ? [] : [`Not accepted yet; accepting takes its digest: ${digest}`]),
    ].join('\n'),
  run: async (context: ServersContext, { name, accept }) => {
    const { loaded, servers } = await readServers(context)
    const server = needServer(servers, name)
    const { tools, era } = await visitServer(context, loaded, server, async (found) => ({ tools: found.tools, era: found.era }))
    const digest = listDigest(tools)
    if (accept !== undefined && accept !== digest)
      throw new Problem('conflict', `${name} has other tools now than the ones you accepted; review it again`, { details: { digest } })
    if (accept !== undefined && context.dry !== true) await acceptTools(server, tools, era)
    const changes = differences(server.reviewed?.tools ?? [], tools).map(({ name: tool, what }) => {
      const description = [...tools, ...(server.reviewed?.tools ?? [])].find((each) => each.name === tool)?.description ?? ''
      return { name: shownText(tool), what, description: shownText(description) }
    })
    return { name, changes, digest, accepted: accept !== undefined }
  },
})

const classTool = defineOperation({
  name: 'mcp.class',
  summary: 'Say what an MCP server, or one tool of it, may do',
  by: ['person'],
  effect: 'change',
  command: 'mcp class <name> <may> [tool]',
  input: z.strictObject({
    name: z.string(),
    may: z.enum([...ToolClass.options, 'off', 'unset']).describe('off: it cannot be used; unset: as if nothing had been said'),
    tool: z.string().optional().describe('one tool; all of the server when left out'),
  }),
  output: ServerView,
  example: { name: 'files', may: 'read', tool: 'read_text_file' },
  tell: ({ name, tools }) => tools.map((tool) => `${name} ${tool.name}: ${tool.class ?? 'off'}`).join('\n'),
  run: async (context: ServersContext, { name, may, tool }) => {
    const { loaded, servers } = await readServers(context)
    const server = needServer(servers, name)
    if (tool !== undefined && server.reviewed?.tools.some((each) => each.name === tool) !== true)
      throw new Problem('not_found', `${name} has no tool ${tool} that you reviewed`)
    if (tool === undefined && may === 'off') throw new Problem('bad_input', `set mcp_servers.${name}.enabled to false, or name a tool`)
    const path = ['mcp_servers', name, ...(tool === undefined ? ['may'] : ['tools', tool])]
    if (context.dry !== true && server.from === 'user')
      await changeUserFile(context, (document) => (may === 'unset' ? document.deleteIn(path) : document.setIn(path, may)))
    if (context.dry !== true && server.from === 'project') await classTrusted(loaded, context, name, may, tool)
    const after = await readServers(context)
    return serverView(needServer(after.servers, name), await rolesHere(after.loaded, context))
  },
})

/** What can be done with MCP servers whose tools agents use. */
export const serverOperations = [listServers, addServer, removeServer, reviewServer, classTool, trustServer, importServers] as const

function unreviewedServer(loaded: LoadedConfig, name: string, settings: ServerSettings, { env }: ServersContext): OutsideServer {
  const file = join(reviewFolder(loaded), serverFileName(name))
  return { name, settings, from: 'user', ...valuesOf(settings, env), file, reviewed: null }
}

function listDigest(tools: readonly ReviewedTool[]): string {
  return digestOf(tools.map(({ digest }) => digest).toSorted()).slice(0, 16)
}

/** An entry as a person would write it. */
function withoutDefaults(entry: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => isSaid(value)))
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)
}

import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { messageOf, Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { secretsIn } from '../../domain/text/mask.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import { ForeignEntry } from '../../outside/project-file.ts'
import { ServerName } from '../../outside/settings.ts'
import { loadConfig } from '../load.ts'
import { changeUserFile } from '../settings.ts'
import type { ServersContext } from './context.ts'

/** Programs whose servers are offered, and where each names them. */
const sources = { claude: '.claude.json', codex: '.codex/config.toml' } as const

const Offered = z.object({
  name: z.string(),
  where: z.string(),
  imported: z.boolean(),
  notes: z.array(z.string()).describe('what was left out, and what to do about it'),
})

export const importServers = defineOperation({
  name: 'mcp.import',
  summary: 'List the MCP servers that another program of yours uses, or take some of them over',
  by: ['person'],
  effect: 'change',
  command: 'mcp import <from> [names...]',
  input: z.strictObject({
    from: z.enum(['claude', 'codex']).describe('Claude Code or Codex'),
    names: z.array(z.string()).default([]).describe('the servers to take over; without any they are only listed'),
  }),
  output: z.object({ servers: z.array(Offered) }),
  example: { from: 'claude', names: ['github'] },
  tell: ({ servers }) =>
    servers.length === 0
      ? 'It names no server'
      : [
          ...servers.map(({ name, where, imported, notes }) =>
            [`${imported ? 'took over' : 'offers'} ${name}: ${where}`, ...notes].join('\n  '),
          ),
          ...(servers.some(({ imported }) => imported)
            ? [`${counted(servers.filter(({ imported }) => imported).length, 'server')} to review before use`]
            : []),
        ].join('\n'),
  run: async (context: ServersContext, { from, names }) => {
    const { config } = await loadConfig(context)
    const found = await serversOf(from, context)
    const unknown = names.find((name) => found[name] === undefined)
    if (unknown !== undefined)
      throw new Problem('not_found', `${sources[from]} names no server ${unknown}; it names ${Object.keys(found).join(', ') || 'none'}`)
    const taken = names.find((name) => config.mcp_servers[name] !== undefined)
    if (taken !== undefined) throw new Problem('conflict', `there is an MCP server ${taken} already`)
    const read = Object.entries(found).map(([name, entry]) => ({ name, ...asOurs(name, entry) }))
    const wanted = read.filter(({ name, entry }) => names.includes(name) && entry !== null)
    if (wanted.length > 0 && context.dry !== true)
      await changeUserFile(context, (document) => {
        for (const { name, entry } of wanted) document.setIn(['mcp_servers', name], document.createNode(entry))
      })
    return {
      servers: read.map(({ name, where, notes, entry }) => ({ name, where, notes, imported: entry !== null && names.includes(name) })),
    }
  },
})

async function serversOf(from: keyof typeof sources, { env, cwd }: ServersContext): Promise<Record<string, unknown>> {
  const file = join(env['HOME'] ?? homedir(), sources[from])
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return {}
  try {
    if (from === 'codex') return recordOf((await import('smol-toml')).parse(text)['mcp_servers'])
    const told = recordOf(JSON.parse(text))
    const here = recordOf(recordOf(told['projects'])[cwd])
    return { ...recordOf(told['mcpServers']), ...recordOf(here['mcpServers']) }
  } catch (error) {
    throw new Problem('bad_input', `${file} cannot be read: ${messageOf(error).slice(0, 200)}`)
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

/** An entry in our words. The value of what sounds like a secret is not copied: our settings can be shown to anyone. */
function asOurs(name: string, told: unknown): { entry: Record<string, unknown> | null; where: string; notes: string[] } {
  const read = ForeignEntry.safeParse(told)
  if (!read.success || !ServerName.safeParse(name).success)
    return { entry: null, where: 'cannot be read', notes: ['its name or its entry does not fit'] }
  const { command, args, env, url, headers } = read.data
  const given = Object.entries(env)
  const kept = given.filter(([each, value]) => !isSecret(each, value))
  const named = given.filter(([each, value]) => isSecret(each, value)).map(([each]) => each)
  const notes = [
    ...named.map((each) => `export ${each}: its value was not copied`),
    ...Object.keys(headers).map((each) => `the header ${each} was left out; name the variable that holds it under headers`),
  ]
  const entry = {
    ...(command !== undefined && { command, ...(args.length > 0 && { args }) }),
    ...(url !== undefined && { url }),
    ...(named.length > 0 && { env: named }),
    ...(kept.length > 0 && { variables: Object.fromEntries(kept) }),
  }
  const fits = (command === undefined) !== (url === undefined)
  return { entry: fits ? entry : null, where: url ?? [command, ...args].join(' '), notes: fits ? notes : ['it has no command and no url'] }
}

function isSecret(name: string, value: string): boolean {
  return secretsIn({ [name]: value }).length > 0 || value.includes('${')
}

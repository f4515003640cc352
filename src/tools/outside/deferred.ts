import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import type { ToolSpec } from '../../providers/provider.ts'
import { defineTool } from '../gate.ts'
import { toolSpec } from '../tool-spec.ts'
import type { Tool } from '../tool.ts'

/** What a model is told of its tools. */
export interface ToldTools {
  /** Every tool of the run, the one that describes others included. */
  tools: readonly Tool[]
  /** Those the model is told of from the start. */
  first: readonly Tool[]
  /** What it is told of now: more once it asked. */
  specs: () => readonly ToolSpec[]
}

/** Definitions of tools from outside are told at once as long as all of them together take no more, about 700 tokens. */
const DEFINITION_CHARS = 2_800
/** Beyond that their names are told, each with a line while that fits. */
const INDEX_CHARS = 3_800
const LINE_CHARS = 60

export const DESCRIBE = 'describe_tools'

/** Tells a model of the built-in tools as ever, and of those from outside by name alone where their definitions would crowd its context. */
export function toldTools(all: readonly Tool[], offered: readonly Tool[], described: ReadonlySet<string>): ToldTools {
  const outside = offered.filter(({ name }) => name.startsWith('mcp__'))
  const chars = outside.reduce((sum, tool) => sum + JSON.stringify(toolSpec(tool)).length, 0)
  if (chars <= DEFINITION_CHARS) {
    const specs = offered.map(toolSpec)
    return { tools: all, first: offered, specs: () => specs }
  }
  const own = offered.filter((tool) => !outside.includes(tool))
  const known = new Set(described)
  const describing = describeTool(outside, known)
  const first = [...own, describing]
  const firstSpecs = first.map(toolSpec)
  // In the order they were asked for: what was told before stays where it was, and so in the cache of the provider.
  const specs = () => [...firstSpecs, ...[...known].flatMap((name) => outside.filter((tool) => tool.name === name).map(toolSpec))]
  return { tools: [...all, describing], first, specs }
}

function describeTool(outside: readonly Tool[], known: Set<string>): Tool {
  const byServer = Map.groupBy(outside, ({ name }) => serverOf(name))
  return defineTool({
    name: DESCRIBE,
    description: `More tools, each called mcp__SERVER__TOOL once it was described here. Without tools: all of a server, in a line each.\n${indexText(byServer)}`,
    required_permissions: ['read_files'],
    input: z.strictObject({ server: z.string(), tools: z.array(z.string()).max(20).optional() }),
    run: async ({ server, tools: wanted }) => {
      const tools = byServer.get(server)
      if (tools === undefined) throw new Problem('not_found', `there is no server ${server}; there are ${[...byServer.keys()].join(', ')}`)
      if (wanted === undefined) return { output: tools.map((tool) => lineOf(tool, 200)).join('\n') }
      const found = wanted.map((name) => tools.find((tool) => tool.name === name || shortOf(tool.name) === name) ?? name)
      const missing = found.filter((tool) => typeof tool === 'string')
      if (missing.length > 0) throw new Problem('not_found', `${server} has no tool ${missing.join(', ')}`)
      const described = found.flatMap((tool) => (typeof tool === 'string' ? [] : [tool.name]))
      for (const name of described) known.add(name)
      return { output: `You can call them now: ${described.join(', ')}`, details: { described } }
    },
  })
}

/** The names of all tools, with a line each while that fits; of a server with very many only the first ones. */
function indexText(byServer: ReadonlyMap<string, readonly Tool[]>): string {
  const lines = [...byServer]
    .map(([server, tools]) => `${server}\n${tools.map((tool) => ` ${lineOf(tool, LINE_CHARS)}`).join('\n')}`)
    .join('\n')
  if (lines.length <= INDEX_CHARS) return lines
  const share = Math.floor(INDEX_CHARS / byServer.size)
  return [...byServer].map(([server, tools]) => `${server}: ${namesWithin(tools, share - server.length)}`).join('\n')
}

function namesWithin(tools: readonly Tool[], chars: number): string {
  let told = ''
  for (const [at, { name }] of tools.entries()) {
    const next = `${told}${told === '' ? '' : ' '}${shortOf(name)}`
    if (next.length > chars) return `${told} and ${tools.length - at} more`.trimStart()
    told = next
  }
  return told
}

function lineOf({ name, description }: Tool, chars: number): string {
  const [line = ''] = description.trim().split('\n')
  return `${shortOf(name)}: ${line.length > chars ? `${line.slice(0, chars - 1)}…` : line}`
}

/** `mcp__files__read_file` is `read_file` of `files`: a server has no two underscores in its name. */
function serverOf(name: string): string {
  return name.split('__')[1] ?? ''
}

function shortOf(name: string): string {
  return name.split('__').slice(2).join('__')
}

import { basename, dirname, join } from 'node:path'
import type { AllowedCommand } from '../domain/command/allowed.ts'
import type { ToolCall } from '../domain/entry.ts'
import { isInPaths } from '../domain/bounds.ts'
import { changePermissions } from '../domain/permission.ts'
import { closest } from '../domain/text/closest.ts'
import { readValue, issueText, type SchemaIssue } from '../domain/text/schema-error.ts'
import { Problem } from '../domain/problem.ts'
import { resolveInside, type PathOptions } from '../sandbox/files/path.ts'
import { authorize, decided, toolsFor, type Decision, type ActingRole } from './authorize.ts'
import type { CallContext, Tool } from './tool.ts'
import * as z from 'zod'

export type JudgeContext = ActingRole &
  Pick<CallContext, 'root' | 'commands'> & {
    tools: readonly Tool[]
    /** What people allowed from now on, as it is at this moment. */
    allowedCommands?: () => Promise<readonly AllowedCommand[]>
  }

/** A call that is not refused has its tool, its parsed arguments and the real place of each of its paths. */
export type Judged = { decision: Decision; call: JudgedCall | null }
export interface JudgedCall {
  tool: Tool
  input: unknown
  places: ReadonlyMap<string, string>
}

/** Decides about one call: is there such a tool, may this role call it at all, do the arguments fit, may it with these arguments. */
export async function judgeCall(by: JudgeContext, called: Pick<ToolCall, 'tool' | 'input'>): Promise<Judged> {
  const tool = by.tools.find((candidate) => candidate.name === called.tool)
  if (tool === undefined) return refused(unknownTool(by, called.tool))
  const acting = await withAllowed(by, tool)
  const offered = authorize(acting, tool)
  if (offered.verdict === 'deny') return refused(offered)
  const parsed = readValue(tool.input, called.input)
  if ('issues' in parsed) return refused(decided('deny', 'bad_input', inputMistakes(tool, parsed.issues)))
  const decision = authorize(acting, tool, parsed.value)
  if (decision.verdict === 'deny') return refused(decision)
  const places = await placesOf(by, tool, parsed.value)
  if (places instanceof Problem) return refused(decided('deny', 'path_refused', places.message))
  return { decision, call: { tool, input: parsed.value, places } }
}

/** Looked up for what would be asked about alone: everything else is decided without it. */
export async function withAllowed<By extends JudgeContext>(
  by: By,
  { name }: Pick<Tool, 'name'>,
): Promise<By & Pick<ActingRole, 'allowed'>> {
  if (by.approvals.tools[name] !== 'ask' || by.allowedCommands === undefined) return by
  return { ...by, allowed: await by.allowedCommands() }
}

/** Which rule decides about a tool or a call, for `troupe roles explain`. Without arguments it speaks of the tool in general. */
export async function explain(by: JudgeContext, toolName: string, input?: unknown): Promise<Decision> {
  const tool = by.tools.find((candidate) => candidate.name === toolName)
  if (tool !== undefined && input === undefined) return authorize(await withAllowed(by, tool), tool)
  return (await judgeCall(by, { tool: toolName, input })).decision
}

function refused(decision: Decision): Judged {
  return { decision, call: null }
}

function unknownTool(by: JudgeContext, name: string): Decision {
  const offered = toolsFor(by, by.tools).map((tool) => tool.name)
  const near = closest(name, offered)
  const hint = near === null ? `the tools are ${offered.join(', ')}` : `did you mean ${near}?`
  return decided('deny', 'unknown_tool', `there is no tool ${name}; ${hint}`)
}

/** Where each path of a call really is, or why one of them is out of bounds. */
async function placesOf(by: JudgeContext, tool: Tool, input: unknown): Promise<Map<string, string> | Problem> {
  const changes = changePermissions.some((permission) => tool.required_permissions.includes(permission))
  const { commands, bounds } = by
  const options: PathOptions = {
    use: tool.read_only ? 'read' : 'write',
    allowedSecrets: commands.allowedSecrets,
    bounds: changes ? bounds : { ...bounds, write_paths: [] },
    leading: !changes,
  }
  const places = new Map<string, string>()
  for (const path of tool.paths(input)) {
    try {
      const { path: target } = await resolveInside(by.root, path, options)
      places.set(path, tool.links === 'follow' ? target : await linkItself(by.root, path, options))
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  }
  return places
}

/** A link counts by where it is: what it names is not touched. */
async function linkItself(root: string, path: string, options: PathOptions): Promise<string> {
  const { bounds, ...others } = options
  const folder = await resolveInside(root, dirname(path), { ...others, leading: true })
  const place = join(folder.relative, basename(path))
  if (bounds !== undefined && !(isInPaths(place, bounds.read_paths) && isInPaths(place, bounds.write_paths))) {
    throw new Problem('denied', `the path ${JSON.stringify(path)} is not for this role to change`, {
      details: { path, rule: 'role_paths' },
    })
  }
  return join(folder.path, basename(path))
}

/** Why arguments were refused: which field, what came, what would fit; then all the tool takes. */
function inputMistakes(tool: Tool, issues: readonly SchemaIssue[]): string {
  const mistakes = issues.map((issue) => issueText({ ...issue, path: issue.path || 'the input' }))
  return `${tool.name} cannot use these arguments: ${mistakes.join('; ')}. It takes ${fieldsOf(tool)}`
}

const Fields = z.object({
  properties: z.record(z.string(), z.object({ type: z.union([z.string(), z.array(z.string())]).optional() })).default({}),
  required: z.array(z.string()).default([]),
})

function fieldsOf(tool: Tool): string {
  const { properties, required } = Fields.parse(z.toJSONSchema(tool.input, { io: 'input' }))
  const fields = Object.entries(properties).map(([name, { type }]) => {
    return `${name} (${[type ?? 'value'].flat().join(' or ')}${required.includes(name) ? '' : ', optional'})`
  })
  return fields.length === 0 ? 'no arguments' : fields.join(', ')
}

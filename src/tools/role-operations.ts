import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { Permission } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import { PolicyExample, Role, RoleId } from '../domain/role.ts'
import { counted } from '../domain/text/format.ts'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { ceiling } from '../roles/delegation.ts'
import { visible } from '../roles/fault.ts'
import { loadRoles } from '../roles/load.ts'
import { composePrompt } from '../roles/prompt.ts'
import type { CheckContext } from './role-check.ts'
import { explainFor, roleView, type RoleContext } from './role-view.ts'

/** A role as it is listed: what is enforced, where it was read, the wire form of its permissions. */
const RoleView = Role.pick({
  id: true,
  name: true,
  description: true,
  llm_model: true,
  color: true,
  icon: true,
  can_delegate_to_roles: true,
  network: true,
  skills: true,
  write_paths: true,
  read_paths: true,
}).extend({
  permissions: z.object({
    can_read_files: z.boolean(),
    can_write_files: z.boolean(),
    can_delete_files: z.boolean(),
    can_execute_commands: z.boolean(),
    can_create_files: z.boolean(),
  }),
  mode: z.enum(['plan', 'act', 'delegate']),
  source: z.enum(['built-in', 'user', 'project']),
  file: z.string(),
  withheld: z.array(z.string()).describe('what its file states and it does not have until you trust that file'),
  tools: z.array(z.string()),
})

/** A notice about a role file. */
const RoleWarning = z.object({
  text: z.string(),
  next: z.array(z.object({ operation: z.string(), input: z.record(z.string(), z.unknown()).optional() })),
})

/** A tool as screens see it. */
const ToolView = z.object({
  name: z.string(),
  description: z.string(),
  required_permissions: z.array(Permission),
  read_only: z.boolean(),
})

export const listRoles = defineOperation({
  name: 'role.list',
  summary: 'List every role, what it may do and where it was read',
  by: ['person'],
  effect: 'read',
  command: 'roles list',
  input: z.strictObject({}),
  output: z.object({ roles: z.array(RoleView), warnings: z.array(RoleWarning) }),
  example: {},
  tell: ({ roles }) => counted(roles.length, 'role'),
  run: async (context: CheckContext) => {
    const desk = await withRoles(context)
    return {
      roles: desk.roles.list().map((role) => roleView(desk, role)),
      warnings: desk.roles.warnings.map(({ text, next = [] }) => ({ text, next: [...next] })),
    }
  },
})

export const showRole = defineOperation({
  name: 'role.show',
  summary: 'Show one role in full, with its prompt',
  by: ['person'],
  effect: 'read',
  command: 'roles show <role>',
  input: z.strictObject({ role: RoleId }),
  output: RoleView.extend({
    ceiling: z.array(Permission),
    examples: z.array(PolicyExample),
    instructions: z.string(),
    prompt: z.string(),
  }),
  example: { role: 'planner' },
  tell: ({ prompt }) => prompt,
  run: async (context: CheckContext, { role: id }) => {
    const desk = await withRoles(context)
    const role = desk.roles.need(id)
    const listed = roleView(desk, role)
    return {
      ...listed,
      ceiling: ceiling(role, desk.roles),
      examples: role.examples,
      instructions: role.instructions,
      prompt: composePrompt({ role, tools: listed.tools.map((name) => ({ name })), workspace: desk.root }),
    }
  },
})

export const explainCall = defineOperation({
  name: 'role.explain',
  summary: 'Say which rule decides about a tool or a call of a role, and why',
  by: ['person'],
  effect: 'read',
  command: 'roles explain <role> <tool> [arguments...]',
  input: z.strictObject({
    role: RoleId,
    tool: z.string().min(1).describe('the name of the tool'),
    arguments: z.array(z.string()).default([]).describe('the arguments of the call, as JSON or as name=text'),
  }),
  output: z.object({
    role: z.string(),
    tool: z.string(),
    input: z.unknown(),
    allowed: z.boolean(),
    verdict: z.enum(['allow', 'ask', 'deny']),
    rule: z.string(),
    reason: z.string(),
    missing_permissions: z.array(Permission),
  }),
  example: { role: 'planner', tool: 'update_file', arguments: ['path=README.md'] },
  tell: ({ role, tool, verdict, reason }) => `${role}, ${visible(tool)}: ${verdict}, because ${reason}`,
  run: async (context: CheckContext, { role, tool, arguments: words }) => {
    const desk = await withRoles(context)
    return explainFor(desk, desk.roles.need(role), tool, words.length === 0 ? undefined : argumentsFrom(words))
  },
})

export const listTools = defineOperation({
  name: 'role.list_tools',
  summary: 'List the tools a role may call, or all tools',
  by: ['person'],
  effect: 'read',
  command: 'roles tools [role]',
  input: z.strictObject({ role: RoleId.optional() }),
  output: z.object({ tools: z.array(ToolView) }),
  example: { role: 'planner' },
  tell: ({ tools }) => tools.map(({ name }) => name).join('\n'),
  run: async (context: CheckContext, { role }) => {
    const desk = await withRoles(context)
    const has = role === undefined ? null : roleView(desk, desk.roles.need(role)).tools
    const listed = desk.tools.filter(({ name }) => has?.includes(name) ?? true)
    return {
      tools: listed.map(({ name, description, required_permissions, read_only }) => {
        return { name, description, required_permissions: [...required_permissions], read_only }
      }),
    }
  },
})

async function withRoles(context: CheckContext): Promise<RoleContext> {
  return { ...context, roles: await loadRoles(context.folders) }
}

/** Arguments as a person writes them: one JSON object, or `path=README.md` and the like. */
function argumentsFrom(words: readonly string[]): unknown {
  const text = words.join(' ')
  if (!text.trimStart().startsWith('{')) return Object.fromEntries(words.map(pair))
  const input = parsedJson(text)
  if (input !== undefined) return input
  throw new Problem('bad_input', 'the arguments are not JSON; write {"path":"README.md"} or path=README.md')
}

function pair(word: string): [string, string] {
  const at = word.indexOf('=')
  if (at < 1) throw new Problem('bad_input', `${JSON.stringify(word)} is not an argument; write {"path":"README.md"} or path=README.md`)
  return [word.slice(0, at), word.slice(at + 1)]
}

import { rolePermissions } from '../../domain/permission.ts'
import { Problem } from '../../domain/problem.ts'
import { modeOf, type LoadedRole } from '../../domain/role.ts'
import { toolsFor, type Subject } from '../../tools/authorize.ts'
import { explain } from '../../tools/judge.ts'
import type { Tool } from '../../tools/tool.ts'
import type { RoleView, roleContract, ToolView } from '../contract/role.ts'
import type { Handlers } from '../dispatch.ts'
import type { Services } from '../services.ts'

export const roleHandlers: Handlers<keyof typeof roleContract> = {
  listRoles: async (_input, services) => ({ roles: services.roles.list().map((role) => roleView(role, services)) }),

  explainRole: async ({ params, query }, services) => {
    const judge = {
      ...subjectOf(services.roles.need(params.id), services),
      tools: services.tools,
      root: services.workspace,
      allowedSecrets: services.allowedSecrets,
    }
    const { verdict, rule, message } = await explain(judge, query.tool, query.input === undefined ? undefined : jsonIn(query.input))
    return { allowed: verdict === 'allow', rule, reason: message }
  },

  listTools: async ({ query }, services) => {
    const tools = query.role === undefined ? services.tools : toolsFor(subjectOf(services.roles.need(query.role), services), services.tools)
    return { tools: tools.map(toolView) }
  },
}

function roleView(role: LoadedRole, services: Services): RoleView {
  const tools = toolsFor(subjectOf(role, services), services.tools)
  const { instructions: _, examples: _tried, file: _file, ...shown } = role
  return { ...shown, permissions: rolePermissions(role.permissions), mode: modeOf(role), tools: tools.map((tool) => tool.name) }
}

function toolView({ name, description, required_permissions, read_only }: Tool): ToolView {
  return { name, description, required_permissions: [...required_permissions], read_only }
}

function subjectOf(role: LoadedRole, { approvals, sandbox }: Services): Subject {
  return { role: role.id, permissions: role.permissions, approvals, plan: null, sandbox }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', 'query.input does not fit: it must be the arguments of the call as JSON', { cause: error })
  }
}

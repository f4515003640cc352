import { parsedJson } from '../../domain/json-in-text.ts'
import { Problem } from '../../domain/problem.ts'
import { explainRole, roleView, type RoleDesk } from '../../tools/role-view.ts'
import type { Tool } from '../../tools/tool.ts'
import type { roleContract, RoleView, ToolView } from '../contract/role.ts'
import type { Handlers } from '../dispatch.ts'
import type { Services } from '../services.ts'

export const roleHandlers: Handlers<keyof typeof roleContract> = {
  listRoles: async ({ query }, services) => {
    const { workspace = services.workspace } = query
    const { roles, approvals } = (await services.stage.at(workspace)).agent
    const desk = deskOf({ ...services, workspace, roles, approvals })
    return { roles: roles.list().map((role) => shown(roleView(desk, role))) }
  },

  explainRole: async ({ params, query }, services) => {
    const input = query.input === undefined ? undefined : jsonIn(query.input)
    const { verdict, rule, message } = await explainRole(deskOf(services), services.roles.need(params.id), query.tool, input)
    return { verdict, rule, reason: message }
  },

  listTools: async ({ query }, services) => {
    const has = query.role === undefined ? null : roleView(deskOf(services), services.roles.need(query.role)).tools
    return { tools: services.tools.filter(({ name }) => has?.includes(name) ?? true).map(toolView) }
  },
}

/** Where a role lies on this machine is not for the page. */
function shown(view: ReturnType<typeof roleView>): RoleView {
  const { file: _, ...rest } = view
  return rest
}

function toolView({ name, description, required_permissions, read_only }: Tool): ToolView {
  return { name, description, required_permissions: [...required_permissions], read_only }
}

function deskOf({ roles, tools, workspace, sandbox, approvals, allowedSecrets }: Services): RoleDesk {
  return { roles, tools, root: workspace, sandbox, approvals, allowedSecrets }
}

function jsonIn(text: string): unknown {
  const input = parsedJson(text)
  if (input !== undefined) return input
  throw new Problem('bad_input', 'query.input does not fit: it must be the arguments of the call as JSON')
}

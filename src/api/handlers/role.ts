import { parsedJson } from '../../domain/text/json-in-text.ts'
import { Problem } from '../../domain/problem.ts'
import { explainRole, roleView, type RoleContext } from '../../tools/role-view.ts'
import type { Tool } from '../../tools/tool.ts'
import type { roleContract, RoleView, ToolView } from '../contract/role.ts'
import type { Handlers } from '../dispatch.ts'
import type { ServerContext } from '../services.ts'

export const roleHandlers: Handlers<keyof typeof roleContract> = {
  listRoles: async ({ query }, services) => {
    const desk = await deskAt(services, query.workspace)
    return { roles: desk.roles.list().map((role) => shown(roleView(desk, role))) }
  },

  explainRole: async ({ params, query }, services) => {
    const input = query.input === undefined ? undefined : jsonIn(query.input)
    const desk = await deskAt(services)
    const { verdict, rule, message } = await explainRole(desk, desk.roles.need(params.id), query.tool, input)
    return { verdict, rule, reason: message }
  },

  listTools: async ({ query }, services) => {
    const desk = await deskAt(services)
    const has = query.role === undefined ? null : roleView(desk, desk.roles.need(query.role)).tools
    return { tools: desk.tools.filter(({ name }) => has?.includes(name) ?? true).map(toolView) }
  },
}

/** Where a role lies on this machine is not for the page. */
function shown({ file: _file, ...view }: ReturnType<typeof roleView>): RoleView {
  return view
}

function toolView({ name, description, required_permissions, read_only }: Tool): ToolView {
  return { name, description, required_permissions: [...required_permissions], read_only }
}

/** What the agents of a folder are held to at this moment. */
async function deskAt({ context, workspace }: ServerContext, root = workspace): Promise<RoleContext> {
  return { ...(await context.at(root)).agent, root }
}

function jsonIn(text: string): unknown {
  const input = parsedJson(text)
  if (input !== undefined) return input
  throw new Problem('bad_input', 'query.input does not fit: it must be the arguments of the call as JSON')
}

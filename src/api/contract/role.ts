import * as z from 'zod'
import { Permission } from '../../domain/permission.ts'
import { Role } from '../../domain/role.ts'

/** A role as screens see it: what is enforced, where it came from, the wire form of its permissions. */
export type RoleView = z.infer<typeof RoleView>
export const RoleView = Role.pick({
  id: true,
  name: true,
  description: true,
  llm_model: true,
  color: true,
  icon: true,
  can_delegate_to_roles: true,
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
  tools: z.array(z.string()),
})

/** A tool as screens see it. */
export type ToolView = z.infer<typeof ToolView>
export const ToolView = z.object({
  name: z.string(),
  description: z.string(),
  required_permissions: z.array(Permission),
  read_only: z.boolean(),
})

export const roleContract = {
  listRoles: {
    summary: 'Every role there is in a folder; in the one the server was started in when none is named',
    query: z.object({ workspace: z.string().min(1).optional() }),
    reply: z.object({ roles: z.array(RoleView) }),
  },
  explainRole: {
    summary: 'Which rule decides a tool call of a role, and why',
    query: z.object({ tool: z.string().min(1), input: z.string().optional() }),
    reply: z.object({ verdict: z.enum(['allow', 'ask', 'deny']), rule: z.string(), reason: z.string() }),
  },
  listTools: {
    summary: 'The tools a role may call; all tools without a role',
    query: z.object({ role: z.string().optional() }),
    reply: z.object({ tools: z.array(ToolView) }),
  },
}

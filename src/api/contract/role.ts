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
  mode: z.enum(['plan', 'act']),
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

/** Something a person must do, wherever it came from. */
export type Need = z.infer<typeof Need>
export const Need = z.object({
  id: z.string(),
  kind: z.enum(['question', 'approval', 'plan', 'run', 'task', 'job', 'workflow']),
  title: z.string(),
  detail: z.string(),
  severity: z.enum(['critical', 'major', 'minor']),
  link: z.string(),
  at: z.iso.datetime(),
})

export const roleContract = {
  listRoles: { summary: 'Every loaded role', reply: z.object({ roles: z.array(RoleView) }) },
  explainRole: {
    summary: 'Which rule decides a tool call of a role, and why',
    query: z.object({ tool: z.string().min(1), input: z.string().optional() }),
    reply: z.object({ allowed: z.boolean(), rule: z.string(), reason: z.string() }),
  },
  listTools: {
    summary: 'The tools a role may call; all tools without a role',
    query: z.object({ role: z.string().optional() }),
    reply: z.object({ tools: z.array(ToolView) }),
  },
  status: {
    summary: 'What this server runs on: version, model, sandbox, store',
    reply: z.object({
      version: z.string(),
      model: z.string(),
      rehearsal: z.boolean(),
      sandbox: z.string(),
      store: z.enum(['sqlite', 'postgres']),
      workspace: z.string(),
    }),
  },
  listNeeds: { summary: 'Everything that waits for a person', reply: z.object({ needs: z.array(Need) }) },
}

import { rolePermissions } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import { modeOf, type LoadedRole, type Role } from '../domain/role.ts'
import { ceiling, childAuthority, rootAuthority } from '../roles/delegation.ts'
import { visible } from '../roles/fault.ts'
import { composePrompt } from '../roles/prompt.ts'
import type { Roles } from '../roles/roles.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import { toolsFor, type Decision } from '../tools/authorize.ts'
import type { ApprovalSettings } from '../tools/approvals.ts'
import { explain, type Judge } from '../tools/judge.ts'
import type { Tool } from '../tools/tool.ts'
import { columns } from './terminal.ts'

/** What a statement about a role is made from: the gate's own tools and the settings of this user on this machine. */
export interface RoleDesk {
  roles: Roles
  tools: readonly Tool[]
  root: string
  sandbox: SandboxState
  approvals: ApprovalSettings
  allowedSecrets: readonly string[]
}

/** What decides about a call, as `troupe roles explain` says it. */
export interface Explanation {
  role: string
  tool: string
  input: unknown
  allowed: boolean
  verdict: Decision['verdict']
  rule: string
  reason: string
  missing_permissions: readonly string[]
}

/** A role as it is listed: what is enforced, where it was read, the tools it has here. */
function rolesEntry(desk: RoleDesk, role: LoadedRole) {
  const { instructions: _, examples: __, ...listed } = role
  return { ...listed, permissions: rolePermissions(role.permissions), mode: modeOf(role), tools: toolsOf(desk, role) }
}

/** Every role of this start. */
export function rolesList(desk: RoleDesk) {
  return { roles: desk.roles.list().map((role) => rolesEntry(desk, role)), warnings: desk.roles.warnings }
}

export function rolesListText({ roles }: ReturnType<typeof rolesList>): string {
  const rows = roles.map((role) => [role.id, role.mode, heldWords(role.permissions), role.source, role.description])
  return columns([['ROLE', 'MODE', 'MAY', 'FROM', ''], ...rows])
}

/** One role in full, with the prompt it is given. */
export function rolesShow(desk: RoleDesk, id: string) {
  const role = desk.roles.need(id)
  const tools = toolsOf(desk, role).map((name) => ({ name }))
  return {
    ...rolesEntry(desk, role),
    ceiling: ceiling(role, desk.roles),
    examples: role.examples,
    instructions: role.instructions,
    prompt: composePrompt({ role, tools, workspace: desk.root }),
  }
}

export function rolesShowText(shown: ReturnType<typeof rolesShow>): string {
  const facts = [
    ['name', shown.name],
    ['description', shown.description],
    ['mode', shown.mode],
    ['may', heldWords(shown.permissions)],
    ['delegates to', shown.can_delegate_to_roles.join(', ') || 'no one'],
    ['model', shown.llm_model],
    ['looks', `${shown.color}, ${shown.icon}`],
    ['from', `${shown.file} (${shown.source})`],
    ['tools', shown.tools.join(', ') || 'none'],
  ]
  return `${columns(facts)}\n\n${shown.prompt}`
}

/** Which rule decides whether a role may call a tool, or make this very call, and why. */
export async function rolesExplain(desk: RoleDesk, id: string, tool: string, input?: unknown): Promise<Explanation> {
  return explainFor(desk, desk.roles.need(id), tool, input)
}

export function rolesExplainText({ role, tool, verdict, rule, reason }: Explanation): string {
  const says = { allow: 'may call', ask: 'may call, once a person agrees,', deny: 'may not call' }
  return `${role} ${says[verdict]} ${visible(tool)}\n${columns([
    ['rule', rule],
    ['why', reason],
  ])}`
}

/** As `rolesExplain`, for a role that need not be loaded. */
export async function explainFor(desk: RoleDesk, role: Role, tool: string, input?: unknown): Promise<Explanation> {
  const delegating = tool === 'delegate' && role.can_delegate_to_roles.length > 0
  const decision = delegating ? delegation(desk.roles, role, input) : await explain(judgeOf(desk, role), tool, input)
  const { verdict, rule, message, missing_permissions } = decision
  return { role: role.id, tool, input, allowed: verdict !== 'deny', verdict, rule, reason: message, missing_permissions }
}

/** The delegate tool belongs to a running agent; what it may start is decided by the same function as here. */
function delegation(roles: Roles, role: Role, input: unknown): Decision {
  const listed = role.can_delegate_to_roles.join(', ')
  const none = { missing_permissions: [] }
  const child = typeof input === 'object' && input !== null && 'role' in input ? String(input.role) : null
  if (child === null) return { ...none, verdict: 'allow', rule: 'default', message: `${role.id} may delegate to ${listed}` }
  try {
    const { permissions } = childAuthority({ ...rootAuthority(role, roles), agent_role: role.id }, child, roles)
    return { ...none, verdict: 'allow', rule: 'default', message: `${child} would start with ${permissions.join(', ') || 'no permission'}` }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { ...none, verdict: 'deny', rule: 'tool_roles', message: error.message }
  }
}

function toolsOf(desk: RoleDesk, role: Role): string[] {
  const names = toolsFor(judgeOf(desk, role), desk.tools).map((tool) => tool.name)
  return role.can_delegate_to_roles.length > 0 ? [...names, 'delegate'] : names
}

function judgeOf({ tools, root, sandbox, approvals, allowedSecrets }: RoleDesk, role: Role): Judge {
  return { role: role.id, permissions: role.permissions, plan: null, tools, root, sandbox, approvals, allowedSecrets }
}

function heldWords(held: ReturnType<typeof rolePermissions>): string {
  const words = Object.entries(held).flatMap(([name, may]) => (may ? [name.replace(/^can_/, '').replace(/_.*$/, '')] : []))
  return words.join(' ') || 'nothing'
}

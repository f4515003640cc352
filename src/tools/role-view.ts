import { boundsOf } from '../domain/bounds.ts'
import { readsOnly, rolePermissions } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import { canChange, modeOf, type LoadedRole, type Mode, type Role } from '../domain/role.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import { ceiling, childAuthority, rootAuthority } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import { decided, toolsFor, type Decision, type ActingRole } from './authorize.ts'
import { explain, type JudgeContext } from './judge.ts'
import type { CallContext } from './tool.ts'

/** What a statement about a role is made from: the gate's own tools and the settings of this user on this machine. */
export type RoleContext = Pick<JudgeContext, 'tools'> &
  Pick<CallContext, 'root' | 'commands'> &
  Pick<ActingRole, 'sandbox' | 'approvals'> & { roles: Roles }

/** A role as it is listed: what is enforced, where it was read, the tools it has here. */
export function roleView(desk: RoleContext, role: LoadedRole) {
  const { instructions: _, examples: _tried, ...listed } = role
  return {
    ...listed,
    withheld: [...role.withheld],
    permissions: rolePermissions(role.permissions),
    mode: shownMode(desk.roles, role),
    tools: toolsOf(desk, role),
  }
}

/** The mode as people are told it. A role that only reads but may start roles that change is in neither: `delegate`. */
function shownMode(roles: Roles, role: Role): Mode | 'delegate' {
  const mode = modeOf(role)
  return mode === 'plan' && canChange(ceiling(role, roles)) ? 'delegate' : mode
}

/** Which rule decides whether a role, which need not be loaded, may call a tool, or make this very call, and why. */
export async function explainRole(desk: RoleContext, role: Role, tool: string, input?: unknown): Promise<Decision> {
  const delegating = tool === 'delegate' && role.can_delegate_to_roles.length > 0
  return delegating ? delegation(desk, role, input) : explain(judgeOf(desk, role), tool, input)
}

/** Which rule decides whether a role may call a tool, or make this very call, and why. The role need not be one of those that are loaded. */
export async function explainFor(desk: RoleContext, role: Role, tool: string, input?: unknown) {
  const { verdict, rule, message, missing_permissions } = await explainRole(desk, role, tool, input)
  return {
    role: role.id,
    tool,
    input,
    allowed: verdict !== 'deny',
    verdict,
    rule,
    reason: message,
    missing_permissions: [...missing_permissions],
  }
}

/** The delegate tool belongs to a running agent; what it may start is decided by the same function as here. */
function delegation({ roles, approvals }: RoleContext, role: Role, input: unknown): Decision {
  const child = isRecord(input) && 'role' in input ? String(input['role']) : null
  if (child === null) return decided('allow', 'default', `${role.id} may delegate to ${role.can_delegate_to_roles.join(', ')}`)
  try {
    const { permissions } = childAuthority({ ...rootAuthority(role, roles), agent_role: role.id }, child, roles)
    const asked = readsOnly(role.permissions) && canChange(ceiling(roles.need(child), roles)) && approvals.tools['delegate'] !== 'allow'
    if (asked)
      return decided('ask', 'asks_by_default', `${role.id} changes nothing itself, so the first start of ${child} in a chat is asked about`)
    return decided('allow', 'default', `${child} would start with ${permissions.join(', ') || 'no permission'}`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return decided('deny', 'tool_roles', error.message)
  }
}

function toolsOf(desk: RoleContext, role: Role): string[] {
  const names = toolsFor(judgeOf(desk, role), desk.tools).map((tool) => tool.name)
  return role.can_delegate_to_roles.length > 0 ? [...names, 'delegate'] : names
}

function judgeOf(desk: RoleContext, role: Role): JudgeContext {
  return { ...desk, role: role.id, permissions: role.permissions, bounds: boundsOf(role), plan: null }
}

import * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import { boundsOf, narrowedBounds, type Bounds } from '../domain/bounds.ts'
import { permissions, type Permission } from '../domain/permission.ts'
import type { Role } from '../domain/role.ts'
import type { Roles } from './roles.ts'

type Delegator = Pick<Role, 'id' | 'permissions' | 'can_delegate_to_roles' | 'network' | 'write_paths' | 'read_paths'>
type RoleSet = { get(id: string): Delegator | undefined }

/** What an agent may do itself, and what anything it starts may ever do. A stored run carries both. */
export interface Authority {
  permissions: Permission[]
  ceiling: Permission[]
  /** How far these reach; what an agent is bound to, everyone it starts is bound to. */
  bounds: Bounds
}

/** How far delegation may go; each limit refuses the next child. */
export type DelegationLimits = z.infer<typeof DelegationLimits>
export const DelegationLimits = z.strictObject({
  /** Links below the run a person started. */
  max_depth: z.int().nonnegative().default(3),
  /** Children of one run. */
  max_children: z.int().nonnegative().default(8),
  /** Runs below the one a person started, of all generations. */
  max_total: z.int().nonnegative().default(32),
})

/** A role's own permissions plus those of the roles it may delegate to, and not of theirs in turn. */
export function ceiling(role: Delegator, roles: RoleSet): Permission[] {
  const delegates = role.can_delegate_to_roles.flatMap((id) => roles.get(id)?.permissions ?? [])
  return inOrder([...role.permissions, ...delegates])
}

/** The authority of a run that a person started. */
export function rootAuthority(role: Delegator, roles: RoleSet): Authority {
  return { permissions: inOrder(role.permissions), ceiling: ceiling(role, roles), bounds: boundsOf(role) }
}

/** The authority of a run that another run starts, or a refusal when the parent's role does not list the child's. */
export function childAuthority(parent: Above & { agent_role: string }, child: string, roles: Roles): Authority {
  const { role } = roles.resolve(parent.agent_role)
  if (!role.can_delegate_to_roles.includes(child)) {
    const may =
      role.can_delegate_to_roles.length === 0 ? 'it may delegate to no role' : `it may delegate to ${role.can_delegate_to_roles.join(', ')}`
    throw new Problem('denied', `${role.name} may not delegate to ${child}: ${may}`, { details: { role: role.id, delegate: child } })
  }
  return under(parent, roles.need(child), roles)
}

/** The authority of a role that something other than a person names, under the role a person chose: never more than that one's own permissions. */
export function cappedAuthority(role: Delegator, chosen: Omit<Delegator, 'id' | 'can_delegate_to_roles'>, roles: RoleSet): Authority {
  return under({ ceiling: chosen.permissions, bounds: boundsOf(chosen) }, role, roles)
}

/** Refuses a child that would go past a limit; the counts are those before it starts. */
export function checkDelegationLimits(limits: DelegationLimits, now: { depth: number; children: number; total: number }): void {
  const reached = [
    { limit: 'max_depth', most: limits.max_depth, count: now.depth },
    { limit: 'max_children', most: limits.max_children, count: now.children },
    { limit: 'max_total', most: limits.max_total, count: now.total },
  ].find(({ most, count }) => count >= most)
  if (reached === undefined) return
  const message = `no further agent may be started here: ${reached.limit} is ${reached.most}; do the work yourself or report what is left`
  throw new Problem('denied', message, { details: { ...reached } })
}

/** What whoever starts an agent may do with it. */
interface Above {
  ceiling: readonly Permission[]
  bounds: Bounds
}

function under(above: Above, role: Delegator, roles: RoleSet): Authority {
  const capped = (held: readonly Permission[]) => inOrder(held.filter((permission) => above.ceiling.includes(permission)))
  return {
    permissions: capped(role.permissions),
    ceiling: capped(ceiling(role, roles)),
    bounds: narrowedBounds(above.bounds, boundsOf(role)),
  }
}

/** Each permission once and always in the same order, so that equal rights are equal lists. */
function inOrder(held: readonly Permission[]): Permission[] {
  return permissions.filter((permission) => held.includes(permission))
}

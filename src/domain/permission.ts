import * as z from 'zod'

/** What a role may do to the world. Write means change an existing file; create means make a new one. */
export const permissions = ['read_files', 'write_files', 'create_files', 'delete_files', 'execute_commands'] as const

export type Permission = z.infer<typeof Permission>
export const Permission = z.enum(permissions)

/** The three permissions that change files; a shell can only be trusted with files when all three are held. */
export const changePermissions = ['write_files', 'create_files', 'delete_files'] as const satisfies readonly Permission[]

/** The wire form of a role's permissions, as the specification spells it. */
export type RolePermissions = Record<`can_${Permission}`, boolean>

/** The booleans of the wire, from the list that is enforced. */
export function rolePermissions(held: readonly Permission[]): RolePermissions {
  return {
    can_read_files: held.includes('read_files'),
    can_write_files: held.includes('write_files'),
    can_delete_files: held.includes('delete_files'),
    can_execute_commands: held.includes('execute_commands'),
    can_create_files: held.includes('create_files'),
  }
}

/** What is needed and not held. */
export function missingPermissions(held: readonly Permission[], needed: readonly Permission[]): Permission[] {
  return needed.filter((permission) => !held.includes(permission))
}

/** Nothing but reading: the derived `read_only` of a tool, and Plan mode of a role. */
export function readsOnly(needed: readonly Permission[]): boolean {
  return needed.length > 0 && needed.every((permission) => permission === 'read_files')
}

import { Problem, type Notice } from '../domain/problem.ts'
import { closest } from '../domain/text/closest.ts'
import { DEFAULT_ROLE, type LoadedRole, type Role } from '../domain/role.ts'
import { visible } from './fault.ts'

/** The roles of this start: a closed set, read once and never changed. */
export interface Roles {
  readonly ids: readonly string[]
  /** What a person should know about the files, though it did not stop the start. */
  readonly warnings: readonly Notice[]
  get(id: string): LoadedRole | undefined
  /** The role, or a refusal that names the nearest one. */
  need(id: string): LoadedRole
  list(): readonly LoadedRole[]
  /** The role a stored `agent_role` stands for, whatever was stored. */
  resolve(agentRole: string | null | undefined): ResolvedRole
}

/** A role to run with; the warning is for the user to see. */
export interface ResolvedRole {
  role: Role
  warning: string | null
}

/** Closes the set over roles whose ids are known to be distinct. */
export function closedSet(loaded: readonly LoadedRole[], warnings: readonly Notice[] = []): Roles {
  const byId = new Map(loaded.map((role) => [role.id, role]))
  const ids = [...byId.keys()]
  const need = (id: string): LoadedRole => {
    const role = byId.get(id)
    if (role !== undefined) return role
    const near = closest(id, ids)
    const right = near === null ? `the roles are ${ids.join(', ')}` : `did you mean ${near}?`
    throw new Problem('not_found', `there is no role ${visible(id)}; ${right}`, { details: { role: id, roles: ids } })
  }
  return {
    ids,
    warnings,
    get: (id) => byId.get(id),
    need,
    list: () => [...byId.values()],
    resolve: (agentRole) => {
      if (agentRole === undefined || agentRole === null) return { role: need(DEFAULT_ROLE), warning: null }
      const role = byId.get(agentRole)
      return role === undefined ? unknownRole(agentRole) : { role, warning: null }
    },
  }
}

/** Least privilege for a role nobody here knows; its id stays as stored, so that it works again when its file returns. */
function unknownRole(agentRole: string): ResolvedRole {
  const name = visible(agentRole).slice(0, 80) || '(empty)'
  const role: Role = {
    id: agentRole,
    name,
    description: 'A role this installation does not know; it may only read.',
    instructions:
      'You are operating in a role whose definition is missing here, so you may only read. Answer from what you can read. ' +
      'When the user wants anything changed or run, say that they must first choose a role that exists.',
    llm_model: 'default',
    permissions: ['read_files'],
    can_delegate_to_roles: [],
    network: false,
    write_paths: null,
    read_paths: null,
    skills: [],
    color: 'slate',
    icon: 'user',
    examples: [],
  }
  return { role, warning: `there is no role ${name}: this chat may only read until its role file is back or another role is chosen` }
}

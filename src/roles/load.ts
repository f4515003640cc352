import { join } from 'node:path'
import { closest } from '../domain/text/closest.ts'
import { fullModelName, WRITE_A_MODEL, type ModelTable } from '../domain/model-name.ts'
import type { Notice } from '../domain/problem.ts'
import { areWithin, boundsOf } from '../domain/bounds.ts'
import { DEFAULT_ROLE, isNoModel, modelsOf, type LoadedRole, type Role, type RoleSource } from '../domain/role.ts'
import { missingPermissions } from '../domain/permission.ts'
import { faultsProblem, show, type RoleFault } from './fault.ts'
import { parseRoleFile, type StatedRole } from './parse-role.ts'
import { readRoleFolder } from './read-folder.ts'
import { closedSet, type Roles } from './roles.ts'
import { readTrusted, trustHash } from './trust.ts'

/** The roles that come with Troupe. */
export const builtInDir = join(import.meta.dirname, '../../roles')

/** Where roles come from, each later folder seeing what the earlier ones made. */
export interface RoleFolders {
  /** Those that come with Troupe, unless told otherwise. */
  builtInDir?: string
  userDir?: string
  projectDir?: string
  /** Whose models bare names are, beside those we know. */
  models?: ModelTable
}

/** What is being put together: later files meet the roles of earlier ones. */
interface Assembly {
  roles: Map<string, LoadedRole>
  stated: Map<string, StatedRole>
  faults: RoleFault[]
  warnings: Notice[]
  trusted: ReadonlySet<string>
}

/** Reads every role file and closes the set, or refuses the start with every fault at once. */
export async function loadRoles({ builtInDir: ownDir = builtInDir, userDir, projectDir, models }: RoleFolders): Promise<Roles> {
  const folders: [RoleSource, string | undefined][] = [
    ['built-in', ownDir],
    ['user', userDir],
    ['project', projectDir],
  ]
  const trusted = await readTrusted(userDir)
  const assembly: Assembly = { roles: new Map(), stated: new Map(), faults: [], warnings: [], trusted }
  for (const [source, dir] of folders) {
    if (dir !== undefined) await addFolder(assembly, source, dir)
  }
  checkDelegates(assembly)
  if (assembly.faults.length === 0 && !assembly.roles.has(DEFAULT_ROLE)) {
    const expected = `${DEFAULT_ROLE}, the role of chats that name none`
    assembly.faults.push({ file: ownDir, line: 1, field: 'id', found: 'no such role', expected })
  }
  if (assembly.faults.length > 0) throw faultsProblem(assembly.faults)
  const roles = [...assembly.roles.values()]
  const bare = roles.flatMap((role) => unknownModelRemark(role, role.file, models) ?? [])
  return closedSet(roles, [...assembly.warnings, ...bare.map((text) => ({ text }))])
}

/** A role whose model has no provider that anybody knows is loaded, but nobody can play it. */
function unknownModelRemark({ id, llm_model }: Pick<Role, 'id' | 'llm_model'>, file: string, models?: ModelTable): string | null {
  const unknown = modelsOf({ llm_model }).find((model) => fullModelName(model, models) === null)
  if (unknown === undefined) return null
  return `the role ${id} cannot be played: no provider is known for its model ${show(unknown)}; in ${file} ${WRITE_A_MODEL}`
}

/** The same as a fault of its file: a check refuses what nobody could play. */
export function modelFaults(stated: StatedRole, models?: ModelTable): RoleFault[] {
  const unknown = modelsOf(stated.role).filter((model) => fullModelName(model, models) === null)
  return unknown.map((model) => faultOf(stated, 'llm_model', show(model), `a model whose provider is known; ${WRITE_A_MODEL}`))
}

/** A delegation list that names a role that does not exist. */
export function delegateFaults(stated: StatedRole, ids: readonly string[]): RoleFault[] {
  return [...stated.role.can_delegate_to_roles.entries()].flatMap(([at, delegate]) => {
    if (ids.includes(delegate)) return []
    const expected = `a role that exists, such as ${closest(delegate, ids) ?? ids.join(', ')}`
    return [faultOf(stated, `can_delegate_to_roles.${at}`, show(delegate), expected)]
  })
}

async function addFolder(assembly: Assembly, source: RoleSource, dir: string): Promise<void> {
  const seen = new Map<string, string>()
  for (const read of await readRoleFolder(dir, source, assembly.faults)) {
    for (const stated of await parseRoleFile(read, assembly.faults)) {
      const { id } = stated.role
      const twin = seen.get(id)
      if (twin !== undefined) {
        fault(assembly, stated, 'id', show(id), `an id of its own: ${twin} already has it`)
        continue
      }
      seen.set(id, stated.file)
      addRole(assembly, source, stated)
    }
  }
}

function addRole(assembly: Assembly, source: RoleSource, stated: StatedRole): void {
  const { id } = stated.role
  const was = assembly.roles.get(id)
  const role: LoadedRole = { ...inherit(stated, was), source, file: stated.file, withheld: [] }
  if (source === 'project' && was !== undefined && widens(assembly, stated, role, was)) return
  assembly.stated.set(id, stated)
  assembly.roles.set(id, source === 'project' && was === undefined ? untilTrusted(assembly, stated, role) : role)
}

/** A manifest says how a role behaves; what it is silent about stays as it was, and a role that was not there has no rights. */
function inherit({ role, unstated }: StatedRole, was: LoadedRole | undefined): StatedRole['role'] {
  if (was === undefined) return role
  return { ...role, ...Object.fromEntries(unstated.map((field) => [field, was[field]])) }
}

/** A project's file may take rights from a role that exists, never add one. */
function widens(assembly: Assembly, stated: StatedRole, role: LoadedRole, was: LoadedRole): boolean {
  const before = assembly.faults.length
  for (const field of ['permissions', 'can_delegate_to_roles'] as const) {
    const had: readonly string[] = was[field]
    for (const right of role[field].filter((one) => !had.includes(one)))
      fault(assembly, stated, field, right, `no more than ${was.id} had: ${had.join(', ') || 'none'}`)
  }
  for (const field of ['network', 'write_paths', 'read_paths'] as const) {
    if (areWithin(boundsOf({ ...was, [field]: role[field] }), boundsOf(was))) continue
    fault(assembly, stated, field, show(role[field]), `no more than ${was.id} had: ${show(was[field])}`)
  }
  for (const model of modelsOf(role).filter((one) => isNoModel(one) && !modelsOf(was).includes(one))) {
    const expected = 'a model: a program or a script in its place is named by your own files alone'
    fault(assembly, stated, 'llm_model', show(model), expected)
  }
  return assembly.faults.length > before
}

/** A repository someone cloned must not bring rights along: its own roles only read until the user trusts exactly that file. */
function untilTrusted(assembly: Assembly, stated: StatedRole, role: LoadedRole): LoadedRole {
  const programs = modelsOf(role).filter(isNoModel)
  const withheld = [
    ...missingPermissions(['read_files'], role.permissions),
    ...role.can_delegate_to_roles.map((id) => `delegating to ${id}`),
    ...(areWithin(boundsOf(role), { ...boundsOf(role), network: 'off' }) ? [] : ['the network']),
    ...programs.map((model) => `being played by ${model}`),
  ]
  if (withheld.length === 0 || assembly.trusted.has(trustHash(stated.bytes))) return role
  assembly.warnings.push({
    text: `the project's role ${role.id} only reads, without ${withheld.join(', ')}, until you trust ${stated.file}`,
    next: [{ operation: 'role.trust', input: { files: [stated.file] } }],
  })
  const permissions = role.permissions.filter((permission) => permission === 'read_files')
  return {
    ...role,
    withheld,
    permissions,
    can_delegate_to_roles: [],
    network: false,
    llm_model: programs.length > 0 ? 'default' : role.llm_model,
  }
}

function checkDelegates(assembly: Assembly): void {
  const ids = [...assembly.roles.keys()]
  // As the files state them: what is withheld until it is trusted would else stop the start right after.
  for (const stated of assembly.stated.values()) assembly.faults.push(...delegateFaults(stated, ids))
}

function fault({ faults }: Assembly, stated: StatedRole, field: string, found: string, expected: string): void {
  faults.push(faultOf(stated, field, found, expected))
}

function faultOf({ file, lineOf }: StatedRole, field: string, found: string, expected: string): RoleFault {
  const path = field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  return { file, line: lineOf(path), field, found, expected }
}

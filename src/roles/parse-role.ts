import { HIDDEN_CHARACTER } from '../domain/text/hidden-character.ts'
import { Role } from '../domain/role.ts'
import { readPlaced } from '../domain/text/schema-error.ts'
import { isRecord, valueAt } from '../domain/text/unknown-value.ts'
import { FAULTS_AT_MOST, show, type RoleFault } from './fault.ts'
import { readJson, readYaml, type Located } from './locate.ts'
import { readPlainFields } from './plain-fields.ts'
import type { RoleFile } from './read-folder.ts'

/** A role as one file states it; `unstated` are fields a manifest leaves to the role it redefines. */
export interface StatedRole {
  role: Role
  file: string
  bytes: Buffer
  lineOf: Located['lineOf']
  unstated: readonly (keyof Role)[]
}

/** Front matter names rights and looks, never prose: this much is generous, and a bomb stays small. */
const MAX_FRONT_MATTER = 16 * 1024

/** What the manifest form does not speak of. */
const beyondManifest = [
  'permissions',
  'can_delegate_to_roles',
  'network',
  'write_paths',
  'read_paths',
  'skills',
  'color',
  'icon',
  'examples',
  'reasoning',
] as const satisfies readonly (keyof Role)[]

/** The roles one file states: markdown holds one, a JSON manifest one or a map of them. */
export async function parseRoleFile(read: RoleFile, faults: RoleFault[]): Promise<StatedRole[]> {
  return read.file.endsWith('.json') ? parseManifest(read, faults) : parseMarkdown(read, faults)
}

/** The id a name gives when a file states none: `Code Reviewer` is `code_reviewer`. */
export function roleIdFrom(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
}

async function parseMarkdown(read: RoleFile, faults: RoleFault[]): Promise<StatedRole[]> {
  const { file, bytes, text } = read
  const refuse = (line: number, field: string, found: string, expected: string) => {
    faults.push({ file, line, field, found, expected })
    return []
  }
  if (!text.startsWith('---\n')) return refuse(1, 'front matter', show(text.slice(0, 40)), 'a first line of ---, then the fields, then ---')
  const end = `${text}\n`.indexOf('\n---\n', 3)
  if (end === -1) return refuse(1, 'front matter', 'no closing line', 'a line of --- after the fields')
  if (end > MAX_FRONT_MATTER) return refuse(1, 'front matter', `${end} characters`, `at most ${MAX_FRONT_MATTER}`)

  const front = text.slice(4, end + 1)
  const located = readPlainFields(front, 2) ?? (await readYaml(front, file, 2, faults))
  if (located === undefined) return []
  const fields = located.value
  if (!isRecord(fields)) return refuse(2, 'front matter', show(fields), 'fields such as name: Planner')
  if ('instructions' in fields) {
    return refuse(located.lineOf(['instructions']), 'instructions', 'a field', 'the text below the front matter')
  }
  const bodyLine = text.slice(0, end + 5).split('\n').length
  const lineOf: Located['lineOf'] = (path) => (path[0] === 'instructions' ? bodyLine : located.lineOf(path))
  const role = parseRole({ ...fields, instructions: text.slice(end + 5).trim() }, file, lineOf, [], faults)
  return role === undefined ? [] : [{ role, file, bytes, lineOf, unstated: [] }]
}

async function parseManifest(read: RoleFile, faults: RoleFault[]): Promise<StatedRole[]> {
  const { file, bytes, text } = read
  const located = await readJson(text, file, faults)
  if (located === undefined) return []
  const { value } = located
  if (!isRecord(value) || Object.keys(value).length === 0) {
    faults.push({ file, line: 1, field: 'JSON', found: show(value), expected: 'one role, or a map from names to roles' })
    return []
  }
  const isMap = Object.values(value).every(isRecord)
  const entries = isMap ? Object.entries(value).map(([key, entry]) => ({ at: [key], entry })) : [{ at: [], entry: value }]
  return entries.flatMap(({ at, entry }) => {
    const lineOf: Located['lineOf'] = (path) => located.lineOf([...at, ...path])
    const role = parseRole(entry, file, lineOf, at, faults)
    if (role === undefined || !isRecord(entry)) return []
    const [key] = at
    if (key !== undefined && key !== role.name) {
      faults.push({
        file,
        line: lineOf(['name']),
        field: `${key}.name`,
        found: show(role.name),
        expected: `${show(key)}, the key above it`,
      })
      return []
    }
    return [{ role, file, bytes, lineOf, unstated: beyondManifest.filter((field) => !(field in entry)) }]
  })
}

function parseRole(raw: unknown, file: string, lineOf: Located['lineOf'], at: readonly string[], faults: RoleFault[]): Role | undefined {
  const before = faults.length
  const stated = isRecord(raw) ? withDerivedIds(raw) : raw
  const read = readPlaced(Role, stated)
  const add = (path: readonly PropertyKey[], found: string, expected: string) => {
    faults.push({ file, line: lineOf(path), field: [...at, ...path].map(String).join('.') || 'role', found, expected })
  }
  if ('misfits' in read) {
    for (const { path, message, expected, meant } of read.misfits.slice(0, FAULTS_AT_MOST))
      add(path, show(valueAt(stated, path)), meant ?? expected ?? message)
    return undefined
  }
  for (const field of ['name', 'description', 'instructions', 'llm_model'] as const) {
    const hidden = HIDDEN_CHARACTER.exec([read.value[field]].flat().join(''))
    if (hidden !== null) add([field], show(hidden[0]), 'text without control or direction characters')
  }
  return faults.length === before ? read.value : undefined
}

/** Names are as good as ids where a role is referred to, as the specification writes them: `[Planner, Actor]`. */
function withDerivedIds(raw: Record<string, unknown>): Record<string, unknown> {
  const { id, name, can_delegate_to_roles: delegates } = raw
  return {
    ...raw,
    ...(id === undefined && typeof name === 'string' && { id: roleIdFrom(name) }),
    ...(Array.isArray(delegates) && {
      can_delegate_to_roles: delegates.map((role: unknown) => (typeof role === 'string' ? roleIdFrom(role) : role)),
    }),
  }
}

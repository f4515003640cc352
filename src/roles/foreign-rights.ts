import type { Permission } from '../domain/permission.ts'
import { isRecord } from '../domain/text/unknown-value.ts'

/** What a role of another tool may do here, and each right that was dropped or narrowed on the way. */
export interface ForeignRights {
  permissions: Permission[]
  notes: string[]
}

type Right = 'edit' | 'shell'

/** Deleting is never among them: no other tool asks for it apart from writing. */
const granted: Readonly<Record<Right, Permission[]>> = { edit: ['write_files', 'create_files'], shell: ['execute_commands'] }
const words: Readonly<Record<Right, string>> = { edit: 'changing files', shell: 'running commands' }

/** What other tools call their tools, in our words. What only reads needs no word. */
// oxfmt-ignore
const kinds: [RegExp, Right | 'read'][] = [
  [/^(edit|write|multiedit|notebookedit|apply_?patch|patch|replace|create)|_(edit|write|file_edit)$|^editfiles$/i, 'edit'],
  [/^(bash|shell|command|terminal|execute|run)/i,                                                                  'shell'],
  [/^(read|grep|glob|ls|list|search|find|codebase|usages|view|todo|think|problems|changes)/i,                      'read'],
]

/** Fields of a role that this understands, among others; each tool has its own way to say what is allowed. */
export interface StatedRights {
  [other: string]: unknown
  tools?: unknown
  disallowedTools?: unknown
  permissionMode?: unknown
  readonly?: unknown
  permission?: unknown
  permissions?: unknown
}

/** Reads what a role may do. What cannot be held as it is stated is not given, and that is said. */
export function rightsOf(stated: StatedRights, tool: string): ForeignRights {
  const given = new Set<Right>()
  const notes: string[] = []
  const names = namesIn(stated.tools)
  const others = [stated.permission, stated.permissions, stated.readonly].some((field) => field !== undefined)
  if (names === null && !others) notes.push(`it names no tools, which in ${tool} means all or the usual ones; here it only reads`)
  for (const name of names ?? []) addNamed(name, given, notes)
  if (stated.readonly === false) addAll('readonly: false', given, notes)
  addPermissions(stated.permission, given, notes)
  addRules(stated.permissions, given, notes)
  if (isRecord(stated.tools))
    for (const [name, value] of Object.entries(stated.tools)) if (value === false) drop(name, 'tools', given, notes)
  for (const name of namesIn(stated.disallowedTools) ?? []) drop(name, 'disallowedTools', given, notes)
  if (stated.permissionMode === 'plan' || stated.readonly === true) {
    if (given.size > 0) notes.push(`${stated.readonly === true ? 'readonly: true' : 'permissionMode: plan'}: it only reads`)
    given.clear()
  }
  const permissions = (['edit', 'shell'] as const).filter((right) => given.has(right)).flatMap((right) => granted[right])
  return { permissions: ['read_files', ...permissions], notes: [...new Set(notes)] }
}

/** A list, a text with commas, or a map to whether each is allowed. A comma inside of parentheses divides nothing. */
function namesIn(stated: unknown): string[] | null {
  if (typeof stated === 'string') return stated.split(/[\s,]+(?![^(]*\))/).filter(Boolean)
  if (Array.isArray(stated))
    return stated.flatMap((each) => (typeof each === 'string' ? [each] : Array.isArray(each) ? [`${String(each[0])}(for some files)`] : []))
  return isRecord(stated) ? Object.keys(stated).filter((name) => stated[name] === true) : null
}

function addNamed(name: string, given: Set<Right>, notes: string[]): void {
  if (name === '*' || name.toLowerCase() === 'all') return addAll(name, given, notes)
  const kind = kindOf(name)
  const limits = /\((.*)\)$/s.exec(name)?.[1]
  if (kind === null) notes.push(`${name} has no counterpart and is left out`)
  else if (kind !== 'read' && limits !== undefined && !/^:?\*?$/.test(limits))
    notes.push(`${name} is limited, which cannot be held here, so ${words[kind]} is left out`)
  else if (kind !== 'read') given.add(kind)
}

function addAll(why: string, given: Set<Right>, notes: string[]): void {
  notes.push(`${why} means everything there; here it changes files and runs commands, and deletes nothing`)
  given.add('edit').add('shell')
}

/** Whatever is refused there, even in part, is not given here: a part of a shell cannot be taken away. */
function drop(name: string, why: string, given: Set<Right>, notes: string[]): void {
  const kind = name === '*' ? null : kindOf(name)
  const rights = name === '*' ? (['edit', 'shell'] as const) : kind === null || kind === 'read' ? [] : [kind]
  for (const right of rights) if (given.delete(right)) notes.push(`${why} names ${name}, so ${words[right]} is left out`)
}

function kindOf(name: string): Right | 'read' | null {
  return kinds.find(([pattern]) => pattern.test(name))?.[1] ?? null
}

/** OpenCode 1 and Kilo: an answer for each kind of work, or one for each pattern of it. */
function addPermissions(stated: unknown, given: Set<Right>, notes: string[]): void {
  if (typeof stated === 'string') return stated === 'deny' ? given.clear() : addAll(`permission: ${stated}`, given, notes)
  if (!isRecord(stated)) return
  for (const [name, effect] of Object.entries(stated)) {
    const rules = isRecord(effect) ? Object.entries(effect) : [['*', effect] as const]
    if (name === '*') for (const right of ['edit', 'shell'] as const) decide(right, rules, given, notes)
    const kind = kindOf(name)
    if (kind !== null && kind !== 'read') decide(kind, rules, given, notes)
  }
}

/** OpenCode 2: rules of which the last that fits counts. */
function addRules(stated: unknown, given: Set<Right>, notes: string[]): void {
  if (!Array.isArray(stated)) return
  for (const right of ['edit', 'shell'] as const) {
    const own = stated.filter(isRecord).filter(({ action }) => action === '*' || kindOf(textOf(action)) === right)
    if (own.length > 0)
      decide(
        right,
        own.map(({ resource, effect }) => [resource === undefined ? '*' : textOf(resource), effect]),
        given,
        notes,
      )
  }
}

/** Given where everything is allowed or asked about; a narrower refusal beside it cannot be held, so then it is not given. */
function decide(right: Right, rules: readonly (readonly [string, unknown])[], given: Set<Right>, notes: string[]): void {
  const whole = rules.findLast(([resource]) => resource === '*' || resource === '**')?.[1]
  const narrower = rules.filter(([resource]) => resource !== '*' && resource !== '**')
  const refused = narrower.find(([, effect]) => effect === 'deny')
  const isGiven = whole === 'allow' || whole === 'ask'
  if (isGiven && refused === undefined) given.add(right)
  else given.delete(right)
  if (isGiven && refused !== undefined) notes.push(`it refuses ${refused[0]}, which cannot be held here, so ${words[right]} is left out`)
  else if (!isGiven && narrower.some(([, effect]) => effect !== 'deny'))
    notes.push(`${words[right]} is allowed for some patterns alone, which cannot be held here, so it is left out`)
  else if (isGiven && narrower.length > 0) notes.push(`patterns for ${words[right]} are left out; your settings decide what is asked about`)
  if (whole === 'ask') notes.push(`${words[right]} is asked about there; here your settings decide`)
}

/** What is no text names nothing that everything fits. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

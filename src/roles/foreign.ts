import { basename, join, relative } from 'node:path'
import { readdir } from 'node:fs/promises'
import type { Permission } from '../domain/permission.ts'
import { Role } from '../domain/role.ts'
import { shorten } from '../domain/text/format.ts'
import { faultText, type RoleFault } from './fault.ts'
import { foreignFormats, type ForeignFormat, type ForeignText } from './foreign-formats.ts'
import { parseRoleFile, roleIdFrom } from './parse-role.ts'
import { readRoleFile } from './read-folder.ts'

/** A role that was written for another tool: as a role file of ours, or why it cannot be one. */
export interface ForeignRole {
  tool: string
  /** Where it stands, from the top of the project. */
  file: string
  id: string
  /** A role file of ours that our own loader accepts; null when it would not. */
  text: string | null
  fault: string | null
}

/** What other tools' names for tools let a role do. Deleting is never among them: no other tool asks for it apart from writing. */
// oxfmt-ignore
const grants: [RegExp, Permission[]][] = [
  [/^(edit|write|multiedit|notebookedit|patch|replace|create)|_(edit|write|file_edit)$|^editfiles$/i, ['write_files', 'create_files']],
  [/^(bash|shell|command|terminal|execute|run)/i,                                                    ['execute_commands']],
]

/** Every role file of another tool below a project, in a stable order. `taken` are ids that roles have already. */
export async function findForeignRoles(root: string, taken: ReadonlySet<string>): Promise<ForeignRole[]> {
  const found: ForeignRole[] = []
  for (const format of foreignFormats) {
    for (const file of await filesOf(root, format)) {
      const used = new Set([...taken, ...found.map(({ id }) => id)])
      found.push(...(await rolesIn(root, file, format, used)))
    }
  }
  return found
}

async function filesOf(root: string, { folder, ending }: ForeignFormat): Promise<string[]> {
  const names = await readdir(join(root, folder)).catch(() => []) // most projects have none
  return names
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(root, folder, name))
}

async function rolesIn(root: string, path: string, format: ForeignFormat, used: Set<string>): Promise<ForeignRole[]> {
  const { tool } = format
  const file = relative(root, path)
  const faults: RoleFault[] = []
  const read = await readRoleFile(path, 'project', faults)
  const texts = read === undefined ? [] : await format.read(read.text, basename(path).slice(0, -format.ending.length), file, faults)
  if (texts.length === 0) return [{ tool, file, id: '', text: null, fault: faults[0] ? faultText(faults[0]) : 'states no role' }]
  const roles: ForeignRole[] = []
  for (const stated of texts) {
    const id = freeId(roleIdFrom(stated.name), tool, used)
    used.add(id)
    roles.push(await asOurs(stated, id, tool, file))
  }
  return roles
}

/** Our own roles keep their names: a foreign `reviewer` becomes `claude_code_reviewer`. */
function freeId(id: string, tool: string, used: ReadonlySet<string>): string {
  return used.has(id) ? `${roleIdFrom(tool)}_${id}` : id
}

/** The file as our loader would read it; what the loader refuses is not imported. */
async function asOurs(stated: ForeignText, id: string, tool: string, file: string): Promise<ForeignRole> {
  const text = `---
id: ${id}
name: ${JSON.stringify(stated.name.slice(0, 80))}
description: ${JSON.stringify(short(stated.description || `${stated.name}, written for ${tool}`))}
llm_model: default
permissions: [${permissionsFor(stated.tools).join(', ')}]
---
${stated.instructions.trim()}
`
  const faults: RoleFault[] = []
  await parseRoleFile({ file, bytes: Buffer.from(text), text }, faults)
  const [first] = faults
  return { tool, file, id, text: first === undefined ? text : null, fault: first === undefined ? null : faultText(first) }
}

function permissionsFor(tools: readonly string[]): Permission[] {
  const granted = grants.flatMap(([words, permissions]) => (tools.some((tool) => words.test(tool)) ? permissions : []))
  return ['read_files', ...granted]
}

const DESCRIPTION_CHARS = Role.shape.description.maxLength ?? Infinity

function short(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), DESCRIPTION_CHARS)
}

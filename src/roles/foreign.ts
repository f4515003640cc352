import { basename, join, relative } from 'node:path'
import { readdir } from 'node:fs/promises'
import { fullModelName } from '../domain/model-name.ts'
import { isNoModel, Role } from '../domain/role.ts'
import { shorten } from '../domain/text/format.ts'
import { faultText, visible, type RoleFault } from './fault.ts'
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
  /** What it may do there and not here. */
  notes: string[]
}

/** As much as a person reads of one project, one role and one note. */
const MOST_FILES = 500
const MOST_NOTES = 12
const MOST_SKILLS = 4
const NOTE_CHARS = 200

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
  const names = await readdir(join(root, folder), { recursive: folder !== '.' }).catch((): string[] => []) // most projects have none
  return names
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .slice(0, MOST_FILES)
    .map((name) => join(root, folder, name))
}

async function rolesIn(root: string, path: string, format: ForeignFormat, used: Set<string>): Promise<ForeignRole[]> {
  const { tool } = format
  const file = relative(root, path)
  const faults: RoleFault[] = []
  const read = await readRoleFile(path, 'project', faults)
  const texts =
    read === undefined ? [] : await format.read(read.text, basename(path).slice(0, -format.ending.length), { file, tool }, faults)
  if (texts.length === 0) return [{ tool, file, id: '', text: null, notes: [], fault: faults[0] ? faultText(faults[0]) : 'states no role' }]
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
  const { model, notes: ofModel } = modelOf(stated.model)
  const skills = stated.skills.filter((name) => Role.shape.skills.safeParse([name]).success).slice(0, MOST_SKILLS)
  const notes = [...stated.rights.notes, ...ofModel]
    .map((note) => shorten(visible(note.replaceAll(/\s+/g, ' ')), NOTE_CHARS))
    .slice(0, MOST_NOTES)
  const text = `---
id: ${id}
name: ${JSON.stringify(stated.name.slice(0, 80))}
description: ${JSON.stringify(short(stated.description || `${stated.name}, written for ${tool}`))}
llm_model: ${JSON.stringify(model)}
permissions: [${stated.rights.permissions.join(', ')}]
${skills.length === 0 ? '' : `skills: [${skills.join(', ')}]\n`}${notes.map((note) => `# ${note}\n`).join('')}---
${stated.instructions.trim()}
`
  const faults: RoleFault[] = []
  await parseRoleFile({ file, bytes: Buffer.from(text), text }, faults)
  const [first] = faults
  return { tool, file, id, notes, text: first === undefined ? text : null, fault: first === undefined ? null : faultText(first) }
}

/** A model that somebody offers under this name; never a program or a script, which only the user has play. */
function modelOf(stated: string | null): { model: string; notes: string[] } {
  if (stated === null || /^(inherit|default|)$/.test(stated)) return { model: 'default', notes: [] }
  const isName = /^[\w.-]+(\/[\w.:@/-]+)?$/.test(stated) && !isNoModel(stated)
  const known = isName ? fullModelName(stated) : null
  return known === null
    ? { model: 'default', notes: [`its model ${stated} is not known here, so it has the one you configured`] }
    : { model: known, notes: [] }
}

const DESCRIPTION_CHARS = Role.shape.description.maxLength ?? Infinity

function short(text: string): string {
  return shorten(text.replaceAll(/\s+/g, ' ').trim(), DESCRIPTION_CHARS)
}

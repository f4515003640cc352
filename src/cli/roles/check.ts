import { resolve } from 'node:path'
import { counted } from '../../domain/text/counted.ts'
import { Problem } from '../../domain/problem.ts'
import type { Role } from '../../domain/role.ts'
import { faultText, visible, type RoleFault } from '../../roles/fault.ts'
import { delegateFaults, loadRoles, modelFaults, type RoleFolders } from '../../roles/load.ts'
import { parseRoleFile, type StatedRole } from '../../roles/parse-role.ts'
import { readRoleFile } from '../../roles/read-folder.ts'
import { closedSet, type Roles } from '../../roles/roles.ts'
import type { RoleContext } from '../../tools/role-view.ts'
import { explainFor } from './reports.ts'

/** What the role files need around them, without the set they are to become part of. */
export type CheckDesk = Omit<RoleContext, 'roles'> & { folders: RoleFolders }

/** Whether role files are right and every call in their examples is decided as their author says. Without files: all that a start would read. */
export async function rolesCheck(desk: CheckDesk, files: readonly string[]) {
  const start = await tryToLoad(desk.folders)
  const wanted = files.length > 0 ? files.map((file) => resolve(file)) : start.files
  const read = await Promise.all(wanted.map(readFile))
  const ids = [...start.roles.ids, ...read.flatMap(({ stated }) => stated.map(({ role }) => role.id))] // files given together may name each other
  const checked = await Promise.all(read.map((file) => checkFile(desk, start, ids, file)))
  return { ok: checked.every(isRight), files: checked }
}

export function rolesCheckText({ files }: Awaited<ReturnType<typeof rolesCheck>>): string {
  return files.flatMap(fileLines).join('\n')
}

/** How many files and examples are wrong, in one sentence; null when none is. */
export function rolesCheckSummary({ ok, files }: Awaited<ReturnType<typeof rolesCheck>>): string | null {
  if (ok) return null
  const wrong = files.filter((file) => !isRight(file))
  const faults = wrong.reduce((sum, file) => sum + file.faults.length, 0)
  const examples = wrong.reduce((sum, file) => sum + file.examples.filter((example) => !example.ok).length, 0)
  return `${wrong.length} of ${files.length} role files are wrong: ${counted(faults, 'fault')}, ${counted(examples, 'example')} decided otherwise than they say`
}

interface Start {
  roles: Roles
  faults: readonly RoleFault[]
  files: string[]
}

/** A set that cannot start must not keep its own files from being checked. */
async function tryToLoad(folders: RoleFolders): Promise<Start> {
  try {
    const roles = await loadRoles(folders)
    return { roles, faults: [], files: [...new Set(roles.list().map((role) => role.file))] }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'bad_input') throw error
    const faults = error.details['faults'] as RoleFault[] // loadRoles refuses with these and with nothing else
    return { roles: await loadRoles({}), faults, files: [...new Set(faults.map((fault) => fault.file))] }
  }
}

type CheckedFile = Awaited<ReturnType<typeof checkFile>>

interface ReadFile {
  path: string
  stated: StatedRole[]
  faults: RoleFault[]
}

async function readFile(path: string): Promise<ReadFile> {
  const faults: RoleFault[] = []
  const read = await readRoleFile(path, 'user', faults)
  return { path, stated: read === undefined ? [] : await parseRoleFile(read, faults), faults }
}

async function checkFile(desk: CheckDesk, start: Start, ids: readonly string[], { path, stated, faults: own }: ReadFile) {
  const file = visible(path)
  const faults = start.faults.filter((fault) => fault.file === file)
  const known = new Set(faults.map(faultText))
  const beyond = stated.flatMap((one) => [...delegateFaults(one, ids), ...modelFaults(one, desk.folders.models)])
  faults.push(...[...own, ...beyond].filter((fault) => !known.has(faultText(fault))))
  const examples = await Promise.all(stated.map(({ role }) => tryExamples(desk, withRole(start.roles, role, path), role)))
  return { file, roles: stated.map(({ role }) => role.id), faults, examples: examples.flat() }
}

/** The sandbox is taken to be there: an example is about the role, not about the machine it is checked on. */
async function tryExamples(desk: CheckDesk, roles: Roles, role: Role) {
  const here: RoleContext = { ...desk, roles, sandbox: { kind: 'bubblewrap' } }
  const tried = role.examples.map(async ({ tool, input, expect }) => {
    const { allowed, rule, reason } = await explainFor(here, role, tool, input)
    // A call that no role could make proves nothing about this one.
    const impossible = rule === 'unknown_tool' || rule === 'bad_input'
    const got = impossible ? 'impossible' : allowed ? 'allowed' : 'denied'
    return { role: role.id, tool, input, expect, got, ok: got === expect, reason }
  })
  return Promise.all(tried)
}

function withRole(roles: Roles, role: Role, file: string): Roles {
  return closedSet([...roles.list().filter(({ id }) => id !== role.id), { ...role, source: 'user', file }])
}

function isRight({ faults, examples }: CheckedFile): boolean {
  return faults.length === 0 && examples.every((example) => example.ok)
}

function fileLines({ file, roles, faults, examples }: CheckedFile): string[] {
  const failed = examples.filter((example) => !example.ok)
  const lines = failed.map((example) => {
    const call = visible(`${example.tool} ${JSON.stringify(example.input)}`)
    const verdict = example.got === 'impossible' ? 'is not a call any role can make' : `should be ${example.expect} and was ${example.got}`
    return `${file}: ${example.role}: ${call} ${verdict}: ${visible(example.reason)}`
  })
  if (faults.length + failed.length > 0) return [...faults.map(faultText), ...lines]
  return [`${file}: good (${roles.join(', ')}; ${examples.length} examples)`]
}

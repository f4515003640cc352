import { resolve } from 'node:path'
import * as z from 'zod'
import { boundsOf } from '../domain/bounds.ts'
import { defineOperation } from '../domain/operation.ts'
import { mountOfGlob } from '../domain/path-glob.ts'
import { Problem } from '../domain/problem.ts'
import type { Role } from '../domain/role.ts'
import { faultText, visible, type RoleFault } from '../roles/fault.ts'
import { delegateFaults, loadRoles, modelFaults, type RoleFolders } from '../roles/load.ts'
import { parseRoleFile, type StatedRole } from '../roles/parse-role.ts'
import { readRoleFile } from '../roles/read-folder.ts'
import { closedSet, type Roles } from '../roles/roles.ts'
import { trustRoleFile } from '../roles/trust.ts'
import { explainFor, type RoleContext } from './role-view.ts'

/** What the role files need around them, without the set they are to become part of. */
export type CheckContext = Omit<RoleContext, 'roles'> & { folders: RoleFolders }

/** What was found in one role file: its faults, and how each call of its examples is decided. */
export type CheckedFile = z.infer<typeof CheckedFile>
const CheckedFile = z.object({
  file: z.string(),
  roles: z.array(z.string()),
  faults: z.array(
    z.object({
      file: z.string(),
      line: z.number(),
      field: z.string(),
      found: z.string(),
      expected: z.string(),
    }) satisfies z.ZodType<RoleFault>,
  ),
  /** What holds otherwise than one might think. */
  notes: z.array(z.string()),
  examples: z.array(
    z.object({
      role: z.string(),
      tool: z.string(),
      input: z.unknown(),
      expect: z.enum(['allowed', 'denied']),
      /** `impossible`: a call that no role could make, which proves nothing about this one. */
      got: z.enum(['allowed', 'denied', 'impossible']),
      ok: z.boolean(),
      reason: z.string(),
    }),
  ),
})

/** That a file is wrong is what was asked, so it is an answer and no refusal. */
export const checkRoles = defineOperation({
  name: 'role.check',
  summary: 'Check role files and try the calls in their examples, or those of every file that a start would read',
  by: ['person'],
  effect: 'read',
  command: 'roles check [files...]',
  input: z.strictObject({ files: z.array(z.string().min(1)).default([]).describe('the role files') }),
  output: z.object({ ok: z.boolean(), files: z.array(CheckedFile) }),
  example: { files: ['.troupe/roles/scout.md'] },
  tell: ({ ok }) => (ok ? 'All role files are right' : 'Some role files are wrong'),
  run: async (context: CheckContext, { files }) => {
    const start = await tryToLoad(context.folders)
    const wanted = files.length > 0 ? files.map((file) => resolve(context.root, file)) : start.files
    const read = await Promise.all(wanted.map(readFile))
    const ids = [...start.roles.ids, ...read.flatMap(({ stated }) => stated.map(({ role }) => role.id))] // files given together may name each other
    const checked = await Promise.all(read.map((file) => checkFile(context, start, ids, file)))
    return { ok: checked.every(isRight), files: checked }
  },
})

export const trustRoles = defineOperation({
  name: 'role.trust',
  summary: 'Give new roles of a project the rights their files state, until they change',
  by: ['person'],
  effect: 'change',
  command: 'roles trust <files...>',
  absent: {
    http: 'it gives files of a project new rights, so it is done at the terminal, beside the files, where no page can do it in your name',
    dry_run: 'a trusted file is a line in a file, and reading that file is the way to look before',
  },
  input: z.strictObject({ files: z.array(z.string().min(1)).min(1).describe('the role files, as you have read them') }),
  output: z.object({ trusted: z.array(z.string()) }),
  example: { files: ['.troupe/roles/scout.md'] },
  tell: ({ trusted }) => `Trusted as they are now: ${trusted.join(', ')}`,
  run: async ({ folders, root }: CheckContext, { files }) => {
    const { userDir } = folders
    if (userDir === undefined) throw new Problem('bad_input', 'there is no folder of your own roles, where trust is kept')
    for (const file of files) await trustRoleFile(resolve(root, file), userDir)
    return { trusted: files }
  },
})

/** Whether nothing is wrong with a role file. */
export function isRight({ faults, examples }: CheckedFile): boolean {
  return faults.length === 0 && examples.every((example) => example.ok)
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

async function checkFile(
  context: CheckContext,
  start: Start,
  ids: readonly string[],
  { path, stated, faults: own }: ReadFile,
): Promise<CheckedFile> {
  const file = visible(path)
  const faults = start.faults.filter((fault) => fault.file === file)
  const known = new Set(faults.map(faultText))
  const beyond = stated.flatMap((one) => [...delegateFaults(one, ids), ...modelFaults(one, context.folders.models)])
  faults.push(...[...own, ...beyond].filter((fault) => !known.has(faultText(fault))))
  const examples = await Promise.all(stated.map(({ role }) => tryExamples(context, withRole(start.roles, role, path), role)))
  return {
    file,
    roles: stated.map(({ role }) => role.id),
    faults,
    notes: stated.flatMap(({ role }) => notesOn(role)),
    examples: examples.flat(),
  }
}

/** Mounts can hold commands to whole folders and files alone. */
function notesOn(role: Role): string[] {
  const { write_paths, read_paths } = boundsOf(role)
  if (!role.permissions.includes('execute_commands')) return []
  const [writes, reads] = [write_paths, read_paths].map((lists) => lists.flat().filter((glob) => mountOfGlob(glob) === null))
  return [
    ...(writes?.length ? [`${role.id}: what commands write does not last, because no mount can hold them to ${writes.join(', ')}`] : []),
    ...(reads?.length ? [`${role.id}: it gets no commands, because no mount can hide what is beyond ${reads.join(', ')}`] : []),
  ]
}

/** The sandbox is taken to be there: an example is about the role, not about the machine it is checked on. */
async function tryExamples(context: CheckContext, roles: Roles, role: Role): Promise<CheckedFile['examples']> {
  const here: RoleContext = { ...context, roles, sandbox: { kind: 'bubblewrap' } }
  const tried = role.examples.map(async ({ tool, input, expect }) => {
    const { allowed, rule, reason } = await explainFor(here, role, tool, input)
    // A call that no role could make proves nothing about this one.
    const impossible = rule === 'unknown_tool' || rule === 'bad_input'
    const got = impossible ? 'impossible' : allowed ? 'allowed' : 'denied'
    return { role: role.id, tool, input, expect, got, ok: got === expect, reason } as const
  })
  return Promise.all(tried)
}

function withRole(roles: Roles, role: Role, file: string): Roles {
  return closedSet([...roles.list().filter(({ id }) => id !== role.id), { ...role, source: 'user', file, withheld: [] }])
}

import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { loadConfig } from '../config/load.ts'
import type { Environment } from '../config/places.ts'
import { providerSettings, roleFolders } from '../config/wiring.ts'
import { defaultModel } from '../providers/open.ts'
import { findForeignRoles, type ForeignRole } from '../roles/foreign.ts'
import { instructionNames, instructionsFor } from '../roles/instructions/instructions.ts'
import { loadRoles } from '../roles/load.ts'
import type { Roles } from '../roles/roles.ts'
import { existingFolder } from '../sandbox/files/existing-folder.ts'
import { findCommit, openRepository } from '../worktrees/repository.ts'

/** What is there before Troupe comes to a project. */
export interface Survey {
  folder: string
  /** The top of the repository, and the commit it is at; null where there is none. */
  git: { top: string | null; head: string | null }
  /** The settings file, from the top of the project. */
  config: string
  /** Texts for every agent; the first of those we know is told to ours. */
  instructions: InstructionsHere[]
  roles: ForeignRole[]
  /** The model that would play today. */
  model: string
}

/** A file, or a folder of them, that tells agents how to work here. */
export interface InstructionsHere {
  file: string
  folder: boolean
  told: boolean
}

const instructionFiles = [...instructionNames, '.cursorrules', '.cursor/rules', '.windsurfrules', '.github/copilot-instructions.md']

/** Looks at a project and changes nothing. Settings or roles that do not fit are refused here, before anything is written beside them. */
export async function survey(wanted: string, env: Environment): Promise<Survey> {
  const folder = existingFolder(wanted)
  const loaded = await loadConfig({ env, cwd: folder })
  const roles = await loadRoles(roleFolders(loaded, folder))
  const told = new Set(instructionsFor(folder, null).map(({ file }) => file))
  return {
    folder,
    git: await repositoryOf(folder),
    config: '.troupe/config.yaml',
    instructions: (await Promise.all(instructionFiles.map((file) => instructionsIn(folder, file, told)))).flat(),
    roles: await findForeignRoles(folder, takenIds(roles)),
    model: defaultModel(providerSettings(loaded, env)),
  }
}

async function repositoryOf(folder: string): Promise<Survey['git']> {
  const found = await openRepository(folder).catch(() => null) // no repository, which is told as such
  return { top: found?.root ?? null, head: found === null ? null : await findCommit(found.root, 'HEAD') }
}

async function instructionsIn(folder: string, file: string, told: ReadonlySet<string>): Promise<InstructionsHere[]> {
  const there = await stat(join(folder, file)).catch(() => null)
  return there === null ? [] : [{ file, folder: there.isDirectory(), told: told.has(file) }]
}

/** A role that was taken over before keeps its id, so that it is found in its place and left as it is. */
function takenIds(roles: Roles): Set<string> {
  const others = roles.list().filter(({ id, source, file }) => source !== 'project' || basename(file) !== `${id}.md`)
  return new Set(others.map(({ id }) => id))
}

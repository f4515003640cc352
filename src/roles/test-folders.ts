import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RoleFault } from './fault.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { loadRoles, type RoleFolders } from './load.ts'
import { Problem } from '../domain/problem.ts'

type Files = Record<string, string | Uint8Array>

/** The built-in roles beside a user's and a project's folder with these files; the folders go when the test ends. */
export async function roleFolders(t: Cleanup, files: { user?: Files; project?: Files }) {
  const dir = await testFolder(t)
  const folders = { userDir: join(dir, 'user'), projectDir: join(dir, 'project') }
  await fill(folders.userDir, files.user)
  await fill(folders.projectDir, files.project)
  return folders
}

/** The faults a start was refused with. */
export async function faultsOf(folders: RoleFolders): Promise<RoleFault[]> {
  try {
    await loadRoles(folders)
  } catch (error) {
    if (error instanceof Problem && error.code === 'bad_input') return error.details['faults'] as RoleFault[] // faultsProblem put them there
    throw error
  }
  return []
}

/** A role file that is right; the lines given are added to its front matter. */
export function roleText(name: string, ...lines: string[]): string {
  return ['---', `name: ${name}`, 'description: A role for a test.', 'llm_model: default', ...lines, '---', 'Do the work.', ''].join('\n')
}

async function fill(dir: string, files: Files = {}): Promise<void> {
  await mkdir(dir)
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content)
}

import { accessSync, constants } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInside } from './files/inside.ts'
import { testFolder, type Cleanup } from './test-folder.ts'

/** A folder with these files for one test, gone with it. Everyone may write in it, so that a test may act as another user. */
export async function testWorkspace(t: Cleanup, files: Readonly<Record<string, string>> = {}, place = tmpdir()): Promise<string> {
  const root = await testFolder(t, place)
  await chmod(root, 0o777)
  await writeFiles(root, files)
  return root
}

/** Writes files into a folder, with the folders they need. */
export async function writeFiles(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }
}

/** A folder where a test may put something that a command sees, if there is one: in a hidden one it would be safe for the wrong reason. */
export const visiblePlace = ['/var/lib', '/srv', '/opt', process.cwd()].find(isVisible)

/** Why a test that needs such a folder is left out, or false. */
export const noVisiblePlace = visiblePlace === undefined && 'needs a folder outside of homes and /tmp that we may write'

function isVisible(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return !['/tmp', '/var/tmp', '/home', '/root', homedir()].some((hidden) => isInside(hidden, folder))
  } catch {
    return false
  }
}

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { placesFor, type Environment } from './places.ts'

/** Another text as soon as a file was changed, added or removed that the settings and roles of a folder are read from. */
export function settingsStamp(env: Environment, workspace: string): string {
  const { user_config, user_roles, project_config } = placesFor(env, workspace)
  const files = [user_config, project_config, ...[user_roles, join(workspace, '.troupe', 'roles')].flatMap(filesIn)]
  return files.map((file) => `${file} ${markOf(file)}`).join('\n')
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return [] // most often there is none
  }
}

/** By the time the kernel keeps, which a program cannot set back. */
function markOf(file: string): string {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.ctimeNs}`
  } catch {
    return 'unreadable' // reading it says why
  }
}

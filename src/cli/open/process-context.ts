import type { AgentContext } from '../../agent/agent.ts'
import type { ProcessContext, FolderContext } from '../../agent/folder-context.ts'
import { agentFrom, modelFor, needModel } from '../../config/open-agent.ts'
import { roleFolders } from '../../config/wiring.ts'
import { partsIn, type OpenParts } from './parts.ts'
import { PROJECT_FILE } from '../../outside/project-file.ts'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { placesFor, type Environment } from '../../config/places.ts'

/** What holds in the folder that was opened, and in every other one. */
export function processContext(parts: OpenParts, workspace: string, onEvent: AgentContext['onEvent']): ProcessContext {
  const here = placeOn(parts, workspace, onEvent)
  const read = new Map([[workspace, { stamp: settingsStamp(parts.env, workspace), place: Promise.resolve(here) }]])
  // A folder is read again once its files have changed, or had a fault: what a person forbids while a server runs is forbidden there.
  const at = (folder: string) => {
    const stamp = settingsStamp(parts.env, folder)
    const known = read.get(folder)
    if (known?.stamp === stamp) return known.place
    const place = partsIn(parts, folder).then((found) => placeOn(found, folder, onEvent))
    read.set(folder, { stamp, place })
    place.catch(() => read.delete(folder))
    return place
  }
  return { ...here, at }
}

function placeOn(parts: OpenParts, workspace: string, onEvent: AgentContext['onEvent']): FolderContext {
  return {
    agent: agentFrom({ ...parts, onEvent }),
    modelFor: (role, chosen) => modelFor(parts, role, chosen),
    needModel: (model) => needModel(parts, model),
    limits: parts.loaded.config.limits,
    roleFolders: roleFolders(parts.loaded, workspace),
  }
}

/** Another text as soon as a file was changed, added or removed that the settings and roles of a folder are read from. */
function settingsStamp(env: Environment, workspace: string): string {
  const { home, user_config, user_roles, project_config } = placesFor(env, workspace)
  const files = [
    user_config,
    project_config,
    join(workspace, PROJECT_FILE),
    ...filesIn(join(home, 'mcp')),
    ...[user_roles, join(workspace, '.troupe', 'roles')].flatMap(filesIn),
  ]
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

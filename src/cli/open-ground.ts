import type { Agent } from '../agent/agent.ts'
import type { Ground, Place } from '../agent/place.ts'
import { agentFrom, modelFor, needModel } from '../config/open-agent.ts'
import { stampOf } from '../config/stamp.ts'
import { partsIn, type OpenParts } from './open-parts.ts'

/** What holds in the folder that was opened, and in every other one. */
export function groundOn(parts: OpenParts, workspace: string, onEvent: Agent['onEvent']): Ground {
  const here = placeOn(parts, onEvent)
  const read = new Map([[workspace, { stamp: stampOf(parts.env, workspace), place: Promise.resolve(here) }]])
  // A folder is read anew once its files have changed, or had a fault: what a person forbids while a server runs is forbidden there.
  const at = (folder: string) => {
    const stamp = stampOf(parts.env, folder)
    const known = read.get(folder)
    if (known?.stamp === stamp) return known.place
    const place = partsIn(parts, folder).then((found) => placeOn(found, onEvent))
    read.set(folder, { stamp, place })
    place.catch(() => read.delete(folder))
    return place
  }
  return { ...here, at }
}

function placeOn(parts: OpenParts, onEvent: Agent['onEvent']): Place {
  return {
    agent: agentFrom({ ...parts, onEvent }),
    modelFor: (role, chosen) => modelFor(parts, role, chosen),
    needModel: (model) => needModel(parts, model),
    limits: parts.loaded.config.limits,
  }
}

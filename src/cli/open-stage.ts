import type { Agent } from '../agent/agent.ts'
import { stopPlaying } from '../agent/background.ts'
import { openStage, type Place, type Stage } from '../chat/stage.ts'
import { agentFrom, modelFor } from '../config/open-agent.ts'
import { stampOf } from '../config/stamp.ts'
import { openParts, partsIn, type OpenParts } from './open-parts.ts'

/** A stage on what was opened. */
export function stageOn(parts: OpenParts, workspace: string, onEvent: Agent['onEvent']): Stage {
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
  return openStage(here.agent, here.modelFor, here.limits, at)
}

function placeOn(parts: OpenParts, onEvent: Agent['onEvent']): Place {
  return {
    agent: agentFrom({ ...parts, onEvent }),
    modelFor: (role, chosen) => modelFor(parts, role, chosen),
    limits: parts.loaded.config.limits,
  }
}

/** Opens what playing chats in a folder needs, lends it to the work, and stores and closes everything after it. */
export async function withStage<Result>(
  workspace: string,
  onEvent: Agent['onEvent'],
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const parts = await openParts(workspace)
  const stage = stageOn(parts, workspace, onEvent)
  try {
    return await work(stage)
  } finally {
    await stopPlaying(stage.playing)
    await parts.driver.close()
  }
}

import type { Agent } from '../agent/agent.ts'
import { stopPlaying } from '../agent/background.ts'
import { openStage, type Place, type Stage } from '../chat/stage.ts'
import { agentFrom, modelFor } from '../config/open-agent.ts'
import { openParts, partsIn, type OpenParts } from './open-parts.ts'

/** A stage on what was opened. */
export function stageOn(parts: OpenParts, workspace: string, onEvent: Agent['onEvent']): Stage {
  const here = placeOn(parts, onEvent)
  const read = new Map([[workspace, Promise.resolve(here)]])
  // Each folder is read once, like all that is read at the start; one with a fault is read anew when it is asked for again.
  const at = (folder: string) => {
    const reading = read.get(folder) ?? partsIn(parts, folder).then((found) => placeOn(found, onEvent))
    read.set(folder, reading)
    reading.catch(() => read.delete(folder))
    return reading
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

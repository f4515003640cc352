import type { Agent } from '../agent/agent.ts'
import { stopPlaying } from '../agent/background.ts'
import { openStage, type Stage } from '../chat/stage.ts'
import { agentFrom, modelFor } from '../config/open-agent.ts'
import { openParts, type OpenParts } from './open-parts.ts'

/** A stage on what was opened. */
export function stageOn(parts: OpenParts, onEvent: Agent['onEvent']): Stage {
  return openStage(agentFrom({ ...parts, onEvent }), (role, chosen) => modelFor(parts, role, chosen), parts.loaded.config.limits)
}

/** Opens what playing chats in a folder needs, lends it to the work, and stores and closes everything after it. */
export async function withStage<Result>(
  workspace: string,
  onEvent: Agent['onEvent'],
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const parts = await openParts(workspace)
  const stage = stageOn(parts, onEvent)
  try {
    return await work(stage)
  } finally {
    await stopPlaying(stage.playing)
    await parts.driver.close()
  }
}

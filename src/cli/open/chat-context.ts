import type { AgentContext } from '../../agent/agent.ts'
import { stopPlaying } from '../../agent/run/background.ts'
import { openChatContext, type ChatContext } from '../../chat/context.ts'
import { processContext } from './process-context.ts'
import { openParts } from './parts.ts'

/** Opens what playing chats in a folder needs, lends it to the work, and stores and closes everything after it. */
export async function withStage<Result>(
  workspace: string,
  onEvent: AgentContext['onEvent'],
  work: (context: ChatContext) => Promise<Result>,
): Promise<Result> {
  const parts = await openParts(workspace)
  const stage = openChatContext(processContext(parts, workspace, onEvent))
  try {
    return await work(stage)
  } finally {
    await stopPlaying(stage.playing)
    await parts.driver.close()
  }
}

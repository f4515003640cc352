import { resolve } from 'node:path'
import { stopPlaying } from '../../agent/run/background.ts'
import { type ChatContext, openChatContext } from '../../chat/context.ts'
import { dryRun } from '../../store/dry-run.ts'
import type { CommandArea } from '../operation-commands.ts'
import { stopSignal } from '../stop-signal.ts'
import type { AgentContext } from '../../agent/agent.ts'
import { processContext } from '../open/process-context.ts'
import { openParts } from '../open/parts.ts'

/** The chats of the store, used by the person at the terminal. */
export const chatArea: CommandArea<ChatContext> = {
  addOptions() {},
  within: ({ dryRun: dry }, _operation, work) =>
    withChats((context) =>
      dry === true
        ? dryRun(context.agent.driver, (tx) => work({ ...context, agent: { ...context.agent, driver: tx }, dry: true }))
        : work(context),
    ),
}

/** A stopped command stops what it plays, and stores how far that got, before it exits. */
export function withChats<Result>(work: (context: ChatContext) => Promise<Result>): Promise<Result> {
  return withStage(resolve('.'), hearNothing, async (context) => {
    stopSignal().addEventListener('abort', () => void stopPlaying(context.playing))
    return work(context)
  })
}

function hearNothing(): void {}

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

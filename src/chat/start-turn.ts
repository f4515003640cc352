import { startRun, type RunRequest } from '../agent/start.ts'
import type { Chat } from '../domain/chat.ts'
import type { Run } from '../domain/run.ts'
import { agentOf, playInBackground, type Stage } from './stage.ts'

/** What a turn of a chat is started with; the rest is the chat's own. */
export type Turn = Pick<RunRequest, 'agent_role' | 'model' | 'prompt' | 'also'> & { plan_id: string | null }

/** Starts a run on the thread of a chat, in its folder and under its limits, which count everything the chat has used so far. */
export async function startTurn(stage: Stage, chat: Chat, turn: Turn): Promise<Run> {
  const run = await startRun(agentOf(stage, chat), {
    ...turn,
    workspace: chat.workspace,
    thread_id: chat.id,
    limits: chat.config.limits,
    limits_over: 'thread',
  })
  playInBackground(stage, chat, run)
  return run.item
}

import { playRun } from '../agent/loop.ts'
import type { Agent } from '../agent/agent.ts'
import type { Chat } from '../domain/chat.ts'
import { Limits, type Run } from '../domain/run.ts'
import { projectInstructions } from '../roles/project-instructions.ts'
import type { Stored } from '../store/collection.ts'
import { chats } from '../store/tables.ts'
import { combineApprovals } from '../tools/approvals.ts'

/** Where this process plays its chats: the agent it lends them, and the runs that are on at this moment. */
export interface Stage {
  agent: Agent
  /** The model a run gets: the chat's own, else the role's, else the configured one. */
  modelFor: (agentRole: string, chosen: string | null) => string
  /** The limits a new chat starts with. */
  limits: Limits
  playing: Map<string, Playing>
}

interface Playing {
  stop: AbortController
  done: Promise<void>
}

export function openStage(agent: Agent, modelFor: Stage['modelFor'], limits: Limits = Limits.parse({})): Stage {
  return { agent, modelFor, limits, playing: new Map() }
}

/** The agent as a chat has it: its own settings about tools beside the user's, what its folder tells every agent, and a person who can be asked. */
export function agentOf(stage: Stage, chat: Chat): Agent {
  const { agent } = stage
  const approvals = combineApprovals(agent.approvals, { tools: chat.config.approvals, never_ask: false })
  return { ...agent, approvals, asksForMore: true, sections: { ...agent.sections, project: projectInstructions(chat.workspace) } }
}

/** Plays a run of a chat in the background. How it ended is in the run's record, so nobody has to wait for it. */
export function playInBackground(stage: Stage, chat: Chat, run: Stored<Run>): void {
  const stop = new AbortController()
  const done = playRun(agentOf(stage, chat), run, stop.signal)
    .then(() => touch(stage, chat.id))
    .catch((error: unknown) => {
      process.emitWarning(`the chat ${chat.id} could not store how its run ended: ${String(error)}`)
    })
    .finally(() => stage.playing.delete(chat.id))
  stage.playing.set(chat.id, { stop, done })
}

/** Stops every chat of this process and waits until each has stored where it stands. */
export async function closeStage(stage: Stage): Promise<void> {
  const playing = [...stage.playing.values()]
  for (const { stop } of playing) stop.abort()
  await Promise.all(playing.map(({ done }) => done))
}

/** Marks a chat as just changed, so that it comes first in the list. */
async function touch(stage: Stage, id: string): Promise<void> {
  const was = await chats.find(stage.agent.driver, id)
  if (was) await chats.replace(stage.agent.driver, was, { ...was.item, updated_at: stage.agent.now().toISOString() })
}

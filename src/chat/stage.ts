import type { Agent } from '../agent/agent.ts'
import type { Playing } from '../agent/background.ts'
import type { Chat } from '../domain/chat.ts'
import { Limits } from '../domain/run.ts'
import { projectInstructions } from '../roles/project-instructions.ts'
import { combineApprovals } from '../tools/approvals.ts'

/** What holds in a folder: the roles and settings of the user, and what the project there says of its own. */
export interface Place {
  agent: Agent
  /** The model a run gets: the chat's own, else the role's, else the configured one. */
  modelFor: (agentRole: string, chosen: string | null) => string
  /** The limits a new chat starts with. */
  limits: Limits
}

/** Where this process plays its chats: what holds in the folder it was started in, and the runs that are on at this moment. */
export interface Stage extends Place {
  /** What holds in the folder of a chat; a project is held to its own word wherever Troupe was started. */
  at: (workspace: string) => Promise<Place>
  playing: Playing
}

export function openStage(
  agent: Agent,
  modelFor: Place['modelFor'],
  limits: Limits = Limits.parse({}),
  at: Stage['at'] = async () => ({ agent, modelFor, limits }),
): Stage {
  return { agent, modelFor, limits, at, playing: new Map() }
}

/** The agent as a chat has it: its own settings about tools beside the user's, what its folder tells every agent, and a person who can be asked and may speak. */
export async function agentOf(stage: Stage, chat: Chat): Promise<Agent> {
  const { agent } = await stage.at(chat.workspace)
  const approvals = combineApprovals(agent.approvals, { tools: chat.config.approvals, never_ask: false })
  return {
    ...agent,
    approvals,
    asksForMore: true,
    hearsUser: true,
    sections: { ...agent.sections, project: projectInstructions(chat.workspace) },
  }
}

/** Waits until nothing of a chat is at work in this process. */
export async function untilQuiet(stage: Stage, chatId: string): Promise<void> {
  for (let playing = stage.playing.get(chatId); playing; playing = stage.playing.get(chatId)) await playing.done
}

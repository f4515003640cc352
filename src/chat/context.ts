import type { AgentContext } from '../agent/agent.ts'
import type { Playing } from '../agent/run/background.ts'
import type { ProcessContext } from '../agent/folder-context.ts'
import type { Chat } from '../domain/chat.ts'
import { combineApprovals } from '../tools/approvals.ts'

/** Who acts in a chat: the person at it, and never an agent. */
export const PERSON = 'user'

/** Why an operation that starts a turn is no command: another way of typing it plays the turn. */
export const playedInFront = {
  cli: 'the terminal plays the turn in the foreground and shows it',
  dry_run: 'what an agent would say is not known before it is asked',
}

/** Where this process plays its chats: what holds in their folders, and the runs that are on at this moment. */
export interface ChatContext extends ProcessContext {
  playing: Playing
  /** Only tried: the store takes everything back, and files are left alone. */
  dry?: boolean
}

export function openChatContext(context: ProcessContext): ChatContext {
  return { ...context, playing: new Map() }
}

/** The agent as a chat has it: its own settings about tools beside the user's, what its folder tells every agent, and a person who can be asked and may speak. */
export async function chatAgent(context: ChatContext, chat: Chat): Promise<AgentContext> {
  const { agent } = await context.at(chat.workspace)
  const approvals = combineApprovals(agent.approvals, { tools: chat.config.approvals, never_ask: false })
  return {
    ...agent,
    approvals,
    asksForMore: true,
    hearsUser: true,
    lasting: context.playing,
  }
}

/** Waits until nothing of a chat is at work in this process. */
export async function untilQuiet(context: ChatContext, chatId: string): Promise<void> {
  for (let playing = context.playing.get(chatId); playing; playing = context.playing.get(chatId)) await playing.done
}

import { methods, RequestError, type AgentContext as Client, type ClientCapabilities, type SessionUpdate } from '@agentclientprotocol/sdk'
import type { FolderContext } from '../agent/folder-context.ts'
import { childRunId } from '../agent/delegate.ts'
import { usageOf } from '../agent/limits.ts'
import type { Chat } from '../domain/chat.ts'
import type { RunEvent } from '../domain/event.ts'
import { chats, runs } from '../store/tables.ts'
import { lastRunOf } from '../chat/view.ts'
import { liveUpdates } from './live.ts'
import { choicesOf } from './options.ts'
import type { AcpServices, OpenServices } from './services.ts'

/** A connection to one editor, and the sessions it has open. */
export interface AcpConnection {
  services(): Promise<AcpServices>
  /** What the editor said it can do. */
  can: ClientCapabilities
  sessions: Map<string, AcpSession>
  close(): Promise<void>
}

/** A chat that an editor has open. */
export interface AcpSession {
  id: string
  workspace: string
  /** Tells the editor something, in order. */
  send(update: SessionUpdate): void
  hear(event: RunEvent): void
  /** The prompt at work, and the way to stop waiting for its person. */
  prompt: AbortController | null
}

export function openConnection(open: OpenServices): AcpConnection {
  let opening: Promise<AcpServices> | undefined
  const sessions = new Map<string, AcpSession>()
  const delegated = new Map<string, AcpSession>() // by the run that was delegated to
  const hear = (event: RunEvent) => {
    const session = sessions.get(event.thread_id) ?? delegated.get(event.run_id)
    if (session === undefined) return
    if (event.type === 'tool_use' && event.tool === 'delegate') delegated.set(childRunId(event.run_id, event.call_id), session)
    if (event.type === 'result') delegated.delete(event.run_id)
    session.hear(event)
  }
  return {
    services: () => (opening ??= open(hear)),
    can: {},
    sessions,
    close: async () => {
      for (const { prompt } of sessions.values()) prompt?.abort()
      await (await opening?.catch(() => undefined))?.close()
    },
  }
}

/** Opens a session on a chat that is there; one that is open already goes on. */
export function openSession({ sessions }: AcpConnection, { id, workspace }: Chat, client: Client): AcpSession {
  const known = sessions.get(id)
  if (known !== undefined) return known
  const send = (update: SessionUpdate) => {
    // The editor may be gone; then nobody is told any more, and the connection ends by itself.
    client.notify(methods.client.session.update, { sessionId: id, update }).catch(() => undefined)
  }
  const session: AcpSession = { id, workspace, send, hear: liveUpdates(id, workspace, send), prompt: null }
  sessions.set(id, session)
  return session
}

export function needSession({ sessions }: AcpConnection, id: string): AcpSession {
  const session = sessions.get(id)
  if (session === undefined) throw RequestError.sessionNotFound(id)
  return session
}

/** A chat as it is stored now, with what holds in its folder. */
export async function chatAt({ context }: AcpServices, id: string): Promise<{ chat: Chat; place: FolderContext }> {
  const found = await chats.find(context.agent.driver, id)
  if (found === null) throw RequestError.sessionNotFound(id)
  return { chat: found.item, place: await context.at(found.item.workspace) }
}

/** Tells the editor which role, model and reasoning a session has now, in both of its forms. */
export async function tellChoices(services: AcpServices, session: AcpSession): Promise<ReturnType<typeof choicesOf>> {
  const { chat, place } = await chatAt(services, session.id)
  const choices = choicesOf(chat, place, services.models)
  session.send({ sessionUpdate: 'current_mode_update', currentModeId: choices.modes.currentModeId })
  session.send({ sessionUpdate: 'config_option_update', configOptions: choices.configOptions })
  return choices
}

/** Tells the editor what the session has used, and its title, which the first message gives it. */
export async function tellUsage({ context }: AcpServices, session: AcpSession): Promise<void> {
  const { driver } = context.agent
  const { item: chat } = await chats.get(driver, session.id)
  session.send({ sessionUpdate: 'session_info_update', title: chat.title, updatedAt: chat.updated_at })
  const last = await lastRunOf(driver, session.id)
  if (last === null || last.context_window === null) return
  const { cost_microusd } = usageOf(await runs.items(driver, { where: { thread_id: session.id } }))
  session.send({
    sessionUpdate: 'usage_update',
    used: last.context_tokens,
    size: last.context_window,
    ...(cost_microusd !== null && { cost: { amount: cost_microusd / 1_000_000, currency: 'USD' } }),
  })
}

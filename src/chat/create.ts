import { isAbsolute } from 'node:path'
import { existingFolder } from '../agent/start.ts'
import { Chat } from '../domain/chat.ts'
import { newId } from '../domain/id.ts'
import { Problem } from '../domain/problem.ts'
import type { Limits } from '../domain/run.ts'
import { DEFAULT_ROLE, type Roles } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import { chats } from '../store/tables.ts'

export interface ChatRequest {
  workspace: string
  title?: string | undefined
  agent_role?: string | undefined
  model?: string | undefined
  limits?: Limits | undefined
}

/** The title of a chat until its first message gives it one. */
export const UNTITLED = 'New chat'

/** Opens a chat on a folder. Without a role it is an Actor, as chats have always been. */
export async function createChat(driver: Driver, roles: Roles, request: ChatRequest, now: Date): Promise<Chat> {
  const workspace = await folder(request.workspace)
  const role = roles.need(request.agent_role ?? DEFAULT_ROLE)
  const at = now.toISOString()
  const chat = Chat.parse({
    id: newId('chat', now),
    title: request.title ?? UNTITLED,
    workspace,
    config: { agent_role: role.id, model: request.model ?? null, limits: request.limits },
    created_at: at,
    updated_at: at,
  })
  return (await chats.add(driver, chat)).item
}

async function folder(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new Problem('bad_input', `the workspace ${path} is not an absolute path; name the whole path of a folder`)
  return existingFolder(path)
}

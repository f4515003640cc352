import { isAbsolute } from 'node:path'
import { existingFolder } from '../sandbox/files/existing-folder.ts'
import { Chat, NewChat } from '../domain/chat.ts'
import { newId } from '../domain/id.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { DEFAULT_ROLE } from '../domain/role.ts'
import { chats } from '../store/tables.ts'
import type { ChatContext } from './context.ts'

/** The title of a chat until its first message gives it one. */
export const UNTITLED = 'New chat'

/** Without a role it is an Actor, as chats have always been. */
export const createChat = defineOperation({
  name: 'chat.create',
  summary: 'Open a chat on a folder',
  by: ['person'],
  effect: 'change',
  command: 'chat create',
  input: NewChat,
  output: Chat,
  example: { workspace: '/home/you/project', agent_role: 'planner' },
  tell: ({ id, config }) => `Opened ${id} as ${config.agent_role}`,
  run: async (context: ChatContext, request) => {
    const { driver, now } = context.agent
    const workspace = await folder(request.workspace)
    const { agent, limits, needModel } = await context.at(workspace)
    const role = agent.roles.need(request.agent_role ?? DEFAULT_ROLE)
    if (request.model !== undefined) await needModel(request.model)
    const at = now()
    const chat = Chat.parse({
      id: newId('chat', at),
      title: request.title ?? UNTITLED,
      workspace,
      config: { agent_role: role.id, model: request.model ?? null, reasoning: request.reasoning ?? null, limits },
      created_at: at.toISOString(),
      updated_at: at.toISOString(),
    })
    return (await chats.add(driver, chat)).item
  },
})

async function folder(path: string): Promise<string> {
  if (!isAbsolute(path)) throw new Problem('bad_input', `the workspace ${path} is not an absolute path; name the whole path of a folder`)
  return existingFolder(path)
}

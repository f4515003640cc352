import { resolve } from 'node:path'
import { sendMessage } from '../../chat/send.ts'
import { viewChat } from '../../chat/view.ts'
import { promptText } from '../../domain/text/prompt-text.ts'
import { attachedFile } from '../attached-file.ts'
import { shown } from '../terminal.ts'
import type { Talk } from './orders.ts'

/** Says something in a chat, with the files it names and those attached before it; gives what a person should know of it. */
export async function sayInChat({ context, chatId, attachments }: Talk, text: string): Promise<string[]> {
  const files = [...attachments]
  const said = { chat: chatId, text: promptText(text), mentions: true, attachments: files }
  const { agent_role, queued, attached } = await sendMessage.run(context, said)
  attachments.splice(0, files.length) // only now: after a refusal they are still there
  return [
    ...(attached.length > 0 ? [`attached: ${shown(attached.join(', '))}`] : []),
    ...(queued ? [`Queued: ${agent_role} reads it with its next turn.`] : []),
  ]
}

/** Attaches an image or a PDF to the next message; alone it lists what is attached, and `none` lets go of it. */
export async function orderAttach({ context, chatId, attachments, tell }: Talk, path: string): Promise<void> {
  if (path === 'none') attachments.length = 0
  else if (path !== '') {
    const { workspace } = await viewChat(context, chatId, { limit: 1 })
    attachments.push(await attachedFile(resolve(workspace, path.replace(/^"(.*)"$/, '$1'))))
  }
  const names = attachments.map(({ name }) => name).join(', ')
  tell(shown(names === '' ? 'Nothing is attached to your next message.' : `Attached to your next message: ${names}`))
}

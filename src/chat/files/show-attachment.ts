import * as z from 'zod'
import { AttachedFile } from '../../domain/attachment.ts'
import { ChatId } from '../../domain/chat.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { attachmentContents } from '../../store/attachments.ts'
import { entries } from '../../store/tables.ts'
import type { ChatContext } from '../context.ts'

/** One that the chat names: a hash alone opens nothing. */
export const showAttachment = defineOperation({
  name: 'chat.show_attachment',
  summary: 'Show a file that was attached in a chat, or shown to its model',
  by: ['person'],
  effect: 'read',
  absent: { cli: 'a terminal cannot show it; the file itself is where it was attached from' },
  input: z.strictObject({ chat: ChatId, hash: z.string().describe('the hash that the message gives for it') }),
  output: AttachedFile.pick({ name: true, media_type: true }).extend({ data: z.string().describe('what it holds, as Base64') }),
  example: { chat: 'chat_01', hash: '9f86d081884c7d65' },
  tell: ({ name, media_type, data }) => `${name}: ${media_type}, ${data.length} characters of Base64`,
  run: async ({ agent: { driver } }: ChatContext, { chat, hash }) => {
    const said = await entries.items(driver, { where: { thread_id: chat } })
    const file = said.flatMap((entry) => ('attachments' in entry && entry.attachments) || []).find((one) => one.hash === hash)
    const data = (await attachmentContents(driver, file === undefined ? [] : [hash])).get(hash)
    if (file === undefined || data === undefined) throw new Problem('not_found', `nothing in ${chat} has an attachment ${hash}`)
    return { name: file.name, media_type: file.media_type, data }
  },
})

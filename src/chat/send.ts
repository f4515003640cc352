import * as z from 'zod'
import { isQueued } from '../agent/model-entries.ts'
import { NewAttachment } from '../domain/attachment.ts'
import { ChatId, MessageId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import type { Run } from '../domain/run.ts'
import { NonBlank } from '../domain/text/fields.ts'
import { shorten } from '../domain/text/format.ts'
import { withoutAttached } from '../domain/text/named-files.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries, runs } from '../store/tables.ts'
import { UNTITLED } from './create.ts'
import { playedInFront, type ChatContext } from './context.ts'
import { MESSAGE_FILES, withNamedFiles } from './files/named-files.ts'
import { addQueued, hasQueued, queueMessage, type NewMessage } from './queue.ts'
import { nextTurn, StartedTurn, startTurn } from './start-turn.ts'
import { lastRunOf } from './view.ts'

const TITLE_CHARS = 60

/** The run that hears what was said: a new one, or the one at work, for which it waits. */
type Sent = z.infer<typeof Sent>
const Sent = StartedTurn.extend({ queued: z.boolean(), attached: z.array(z.string()).describe('the files that went with it') })

/**
 * A turn starts with the role that is stored at this moment; no words in the text change it.
 * Whoever lost the answer sends it again under the same id: what is there already is not said twice.
 */
export const sendMessage = defineOperation({
  name: 'chat.send_message',
  summary: 'Send a message: a turn starts, or the running one reads it with its next request to the model',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({
    chat: ChatId,
    text: NonBlank.max(200_000).describe('what to say'),
    attachments: z.array(NewAttachment).max(MESSAGE_FILES).optional().describe('images and PDFs to show the model'),
    mentions: z.boolean().optional().describe('send along the files that the text names with @, as far as the role may read them'),
    message_id: MessageId.optional(),
  }),
  output: Sent,
  example: { chat: 'chat_01', text: 'The test for parsePrice fails. Find out why.' },
  tell: ({ queued, agent_role }) => (queued ? `Queued: ${agent_role} reads it with its next turn` : `${agent_role} started`),
  run: async (context: ChatContext, { chat, message_id, mentions, ...words }): Promise<Sent> => {
    const { driver } = context.agent
    const before = await sentBefore(driver, chat, message_id)
    if (before !== null) return before
    const said = mentions === true ? await withNamedFiles(context, chat, words) : words
    return say(context, chat, { ...said, id: message_id }).catch(async (error: unknown) => {
      const meanwhile = await sentBefore(driver, chat, message_id) // by another request, after we looked
      if (meanwhile === null) throw error
      return meanwhile
    })
  },
})

async function sentBefore(driver: Driver, chatId: string, messageId: string | undefined): Promise<Sent | null> {
  const said = messageId === undefined ? null : await entries.find(driver, messageId)
  if (said?.item.thread_id !== chatId) return null
  const run = said.item.run_id === null ? await lastRunOf(driver, chatId) : (await runs.get(driver, said.item.run_id)).item
  return run && sentTo(run, isQueued(said.item), said.item.from === 'user' ? said.item : { text: '' })
}

async function say(context: ChatContext, chatId: string, said: NewMessage): Promise<Sent> {
  const { driver, now } = context.agent
  const { item: chat } = await chats.get(driver, chatId)
  const atWork = await queueMessage(driver, chatId, said, now())
  if (atWork !== null) return sentTo(atWork, true, said)
  // What a failed turn left unread was said before this and is read before it.
  const othersWait = await hasQueued(driver, chatId)
  const also = async (tx: Driver) => {
    await settle(tx, chatId, said.text, now())
    if (othersWait) await addQueued(tx, chatId, null, said, now())
  }
  const turn = {
    ...(await nextTurn(context, chat)),
    prompt: othersWait ? null : said.text,
    prompt_id: said.id,
    attachments: said.attachments,
    also,
  }
  return sentTo(await startTurn(context, chat, turn), false, said)
}

function sentTo({ id: run_id, agent_role }: Run, queued: boolean, { text, attachments }: Said): Sent {
  const attached = [...withoutAttached(text).files, ...(attachments ?? []).map(({ name }) => name)]
  return { run_id, agent_role, queued, attached }
}

interface Said {
  text: string
  attachments?: readonly { name: string }[] | undefined
}

/** The first message gives a chat its title; any message saves what was filled in when an old chat was read, its role among it. */
async function settle(tx: Driver, chatId: string, text: string, now: Date): Promise<void> {
  const was = await chats.get(tx, chatId)
  const { title } = was.item
  await chats.replace(tx, was, {
    ...was.item,
    title: title === UNTITLED ? shorten(text.trim().split('\n')[0] || UNTITLED, TITLE_CHARS) : title,
    archived_at: null, // whoever talks in it wants to see it
    updated_at: now.toISOString(),
  })
}

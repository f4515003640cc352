import { isQueued } from '../agent/model-entries.ts'
import type { Run } from '../domain/run.ts'
import { shorten } from '../domain/text/shorten.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries, runs } from '../store/tables.ts'
import { UNTITLED } from './create.ts'
import type { ChatContext } from './context.ts'
import { addQueued, hasQueued, queueMessage, type NewMessage } from './queue.ts'
import { nextTurn, startTurn } from './start-turn.ts'
import { lastRunOf } from './view.ts'

const TITLE_CHARS = 60

/** The run that hears what was said: a new one, or the one at work, for which it waits. */
export interface Sent {
  run: Run
  queued: boolean
}

/**
 * Says something in a chat. A turn starts with the role that is stored at this moment; no words in the text change it.
 * Whoever lost the answer sends it again under the same id: what is there already is not said twice.
 */
export async function sendMessage(context: ChatContext, chatId: string, text: string, messageId?: string): Promise<Sent> {
  const { driver } = context.agent
  const before = await sentBefore(driver, chatId, messageId)
  if (before !== null) return before
  return say(context, chatId, { text, id: messageId }).catch(async (error: unknown) => {
    const meanwhile = await sentBefore(driver, chatId, messageId) // by another request, after we looked
    if (meanwhile === null) throw error
    return meanwhile
  })
}

async function sentBefore(driver: Driver, chatId: string, messageId: string | undefined): Promise<Sent | null> {
  const said = messageId === undefined ? null : await entries.find(driver, messageId)
  if (said?.item.thread_id !== chatId) return null
  const run = said.item.run_id === null ? await lastRunOf(driver, chatId) : (await runs.get(driver, said.item.run_id)).item
  return run && { run, queued: isQueued(said.item) }
}

async function say(context: ChatContext, chatId: string, said: NewMessage): Promise<Sent> {
  const { driver, now } = context.agent
  const { item: chat } = await chats.get(driver, chatId)
  const atWork = await queueMessage(driver, chatId, said, now())
  if (atWork !== null) return { run: atWork, queued: true }
  // What a failed turn left unread was said before this and is read before it.
  const othersWait = await hasQueued(driver, chatId)
  const also = async (tx: Driver) => {
    await settle(tx, chatId, said.text, now())
    if (othersWait) await addQueued(tx, chatId, null, said, now())
  }
  const turn = { ...(await nextTurn(context, chat)), prompt: othersWait ? null : said.text, prompt_id: said.id, also }
  return { run: await startTurn(context, chat, turn), queued: false }
}

/** The first message gives a chat its title; any message saves what was filled in when an old chat was read, its role among it. */
async function settle(tx: Driver, chatId: string, text: string, now: Date): Promise<void> {
  const was = await chats.get(tx, chatId)
  const { title } = was.item
  await chats.replace(tx, was, {
    ...was.item,
    title: title === UNTITLED ? shorten(text.trim().split('\n')[0] || UNTITLED, TITLE_CHARS) : title,
    updated_at: now.toISOString(),
  })
}

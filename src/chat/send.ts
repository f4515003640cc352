import type { Run } from '../domain/run.ts'
import { shorten } from '../domain/text/shorten.ts'
import { DEFAULT_ROLE } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import { chats } from '../store/tables.ts'
import { UNTITLED } from './create.ts'
import type { ChatContext } from './context.ts'
import { addQueued, hasQueued, queueMessage } from './queue.ts'
import { nextTurn, startTurn } from './start-turn.ts'

const TITLE_CHARS = 60

/** The run that hears what was said: a new one, or the one at work, for which it waits. */
export interface Sent {
  run: Run
  queued: boolean
}

/** Says something in a chat. A turn starts with the role that is stored at this moment; no words in the text change it. */
export async function sendMessage(context: ChatContext, chatId: string, text: string): Promise<Sent> {
  const { driver, now } = context.agent
  const { item: chat } = await chats.get(driver, chatId)
  const atWork = await queueMessage(driver, chatId, text, now())
  if (atWork !== null) return { run: atWork, queued: true }
  // What a failed turn left unread was said before this and is read before it.
  const othersWait = await hasQueued(driver, chatId)
  const also = async (tx: Driver) => {
    await settle(tx, chatId, text, now())
    if (othersWait) await addQueued(tx, chatId, null, text, now())
  }
  const turn = { ...(await nextTurn(context, chat)), prompt: othersWait ? null : text, also }
  return { run: await startTurn(context, chat, turn), queued: false }
}

/** The first message gives a chat its title; any message saves the role of a chat older than roles. */
async function settle(tx: Driver, chatId: string, text: string, now: Date): Promise<void> {
  const was = await chats.get(tx, chatId)
  const { title, config } = was.item
  await chats.replace(tx, was, {
    ...was.item,
    title: title === UNTITLED ? shorten(text.trim().split('\n')[0] || UNTITLED, TITLE_CHARS) : title,
    config: { ...config, agent_role: config.agent_role ?? DEFAULT_ROLE },
    updated_at: now.toISOString(),
  })
}

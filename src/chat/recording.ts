import type { Entry } from '../domain/entry.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries } from '../store/tables.ts'

/** Everything that was said and done in a chat, as the replay provider plays it again. */
export async function recordingOf(driver: Driver, chatId: string): Promise<{ entries: Entry[] }> {
  const { item: chat } = await chats.get(driver, chatId)
  return { entries: await entries.items(driver, { where: { thread_id: chat.id }, order: ['number'] }) }
}

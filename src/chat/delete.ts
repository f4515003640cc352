import { Problem } from '../domain/problem.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries, plans, questions, runs } from '../store/tables.ts'
import { openRunOf } from './view.ts'

/** Deletes a chat and everything recorded under it. One that is at work is refused: stop it first. */
export async function deleteChat(driver: Driver, chatId: string): Promise<void> {
  await driver.transaction(async (tx) => {
    const chat = await chats.get(tx, chatId)
    const run = await openRunOf(tx, chatId)
    if (run?.status === 'running') throw new Problem('busy', `the chat ${chatId} is at work in run ${run.id}; stop it first`)
    await removeThread(tx, entries, chatId)
    await removeThread(tx, plans, chatId)
    await removeThread(tx, questions, chatId)
    await removeThread(tx, runs, chatId)
    await chats.remove(tx, chat)
  })
}

/** As much of a collection as is needed to empty a thread of it. */
interface Threaded<Item> {
  list(driver: Driver, query: { where: { thread_id: string } }): Promise<Stored<Item>[]>
  remove(driver: Driver, was: Stored<Item>): Promise<void>
}

async function removeThread<Item>(tx: Driver, kept: Threaded<Item>, thread_id: string): Promise<void> {
  for (const record of await kept.list(tx, { where: { thread_id } })) await kept.remove(tx, record)
}

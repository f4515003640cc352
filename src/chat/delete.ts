import * as z from 'zod'
import { forgetCheckpoints } from '../agent/undo.ts'
import { ChatId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { forgetAttachments } from '../store/attachments.ts'
import type { Collection } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { removeDrafts } from '../store/run-drafts.ts'
import { chats, entries, plans, questions, runs } from '../store/tables.ts'
import type { ChatContext } from './context.ts'
import { undoContext } from './undo.ts'
import { openRunOf } from './view.ts'

/** One that is at work is refused. */
export const deleteChat = defineOperation({
  name: 'chat.delete',
  summary: 'Delete a chat and everything recorded under it',
  by: ['person'],
  effect: 'final',
  command: 'chat delete <chat>',
  input: z.strictObject({ chat: ChatId }),
  output: z.object({ deleted: z.string() }),
  example: { chat: 'chat_01' },
  tell: ({ deleted }) => `Deleted: ${deleted}`,
  run: async (context: ChatContext, { chat: chatId }) => {
    const { driver } = context.agent
    const files = await undoContext(context, chatId).catch(() => null) // its folder, or what holds there, may be gone
    await driver.transaction(async (tx) => {
      const chat = await chats.get(tx, chatId)
      const run = await openRunOf(tx, chatId)
      if (run?.status === 'running') {
        const next = [{ operation: 'chat.stop', input: { chat: chatId } }]
        throw new Problem('busy', `the chat ${chatId} is busy with run ${run.id}; stop it first`, { next })
      }
      await removeThread(tx, chatId)
      await chats.remove(tx, chat)
    })
    if (files !== null && !files.dry) await forgetCheckpoints(files)
    return { deleted: chatId }
  },
})

/** With a thread go those of the agents that were delegated to from it: they are about the same work. */
async function removeThread(tx: Driver, threadId: string): Promise<void> {
  for (const { id } of await runs.items(tx, { where: { thread_id: threadId } })) {
    await removeDrafts(tx, id)
    for (const child of await runs.items(tx, { where: { parent_run_id: id } })) await removeThread(tx, child.thread_id)
  }
  const files = (await entries.items(tx, { where: { thread_id: threadId } })).flatMap(
    (entry) => ('attachments' in entry && entry.attachments) || [],
  )
  await removeFrom(tx, entries, threadId)
  await forgetAttachments(tx, files)
  await removeFrom(tx, plans, threadId)
  await removeFrom(tx, questions, threadId)
  await removeFrom(tx, runs, threadId)
}

/** As much of a collection as is needed to empty a thread of it. */
type Threaded<Item extends { id: string }> = Pick<Collection<Item, 'thread_id'>, 'list' | 'remove'>

async function removeFrom<Item extends { id: string }>(tx: Driver, kept: Threaded<Item>, thread_id: string): Promise<void> {
  for (const record of await kept.list(tx, { where: { thread_id } })) await kept.remove(tx, record)
}

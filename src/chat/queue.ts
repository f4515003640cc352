import * as z from 'zod'
import { isLeased } from '../agent/run/lease.ts'
import { isQueued } from '../agent/model-entries.ts'
import type { NewAttachment } from '../domain/attachment.ts'
import { ChatId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { keepAttachments } from '../store/attachments.ts'
import { chats, entries } from '../store/tables.ts'
import { newEntry } from '../store/thread.ts'
import type { ChatContext } from './context.ts'
import { openRunOf } from './view.ts'

/** What a person says. The id is theirs to choose: sent again under the same one, it is said once. */
export interface NewMessage {
  text: string
  id?: string | undefined
  attachments?: readonly NewAttachment[] | undefined
}

/** Leaves a message for the run that is at work on a chat, in whichever process; its model reads it with its next turn. Null when none is at work. */
export async function queueMessage(driver: Driver, chatId: string, said: NewMessage, now: Date): Promise<Run | null> {
  return driver.transaction(async (tx) => {
    const run = await openRunOf(tx, chatId)
    if (run?.status !== 'running' || !(await isLeased(tx, run))) return null
    const { item: chat } = await chats.get(tx, chatId)
    // Said to another role than the one at work: that one must not hear it.
    const meantForRun = chat.config.agent_role === run.agent_role
    await addQueued(tx, chatId, meantForRun ? run.id : null, said, now)
    return run
  })
}

/** Puts a message behind those that wait. One that names no run waits for the first turn of the next. */
export async function addQueued(tx: Driver, chatId: string, runId: string | null, said: NewMessage, now: Date): Promise<void> {
  const { text, id } = said
  const attachments = await keepAttachments(tx, said.attachments ?? [])
  const head = await newEntry(tx, chatId, runId, now)
  await entries.add(tx, { ...head, id: id ?? head.id, from: 'user', text, ...(attachments.length > 0 && { attachments }), queued: true })
}

/** Whether something was said in a chat that no model has seen. */
export async function hasQueued(driver: Driver, chatId: string): Promise<boolean> {
  return (await entries.items(driver, { where: { thread_id: chatId } })).some(isQueued)
}

export const withdrawMessage = defineOperation({
  name: 'chat.withdraw_message',
  summary: 'Withdraw a message that no model has read yet',
  by: ['person'],
  effect: 'change',
  command: 'chat withdraw <chat> <message>',
  input: z.strictObject({ chat: ChatId, message: z.string().describe('the id of the message') }),
  output: z.object({ withdrawn: z.string() }),
  example: { chat: 'chat_01', message: 'entry_01' },
  tell: ({ withdrawn }) => `Withdrawn: ${withdrawn}`,
  run: async ({ agent: { driver } }: ChatContext, { chat, message }) => {
    await driver.transaction(async (tx) => {
      const said = await entries.find(tx, message)
      if (said?.item.thread_id === chat && isQueued(said.item)) return entries.remove(tx, said)
      throw new Problem('conflict', `the message ${message} is no longer queued: the model has read it, or it was withdrawn`)
    })
    return { withdrawn: message }
  },
})

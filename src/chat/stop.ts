import * as z from 'zod'
import { stopRun } from '../agent/run/stop.ts'
import { ChatId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { chats } from '../store/tables.ts'
import type { ChatContext } from './context.ts'
import { openRunOf } from './view.ts'

/** It comes back when nothing of the turn runs any more. */
export const stopChat = defineOperation({
  name: 'chat.stop',
  summary: 'Stop the running turn of a chat and its processes',
  by: ['person'],
  effect: 'change',
  command: 'chat stop <chat>',
  absent: { dry_run: 'what is stopped cannot be started as it was' },
  input: z.strictObject({ chat: ChatId }),
  output: z.object({ stopped: z.boolean() }),
  example: { chat: 'chat_01' },
  tell: ({ stopped }) => (stopped ? 'Stopped.' : 'Nothing is running.'),
  run: async (context: ChatContext, { chat }) => {
    const { item } = await chats.get(context.agent.driver, chat)
    return { stopped: await stopTurn(context, item.id) }
  },
})

/** Stops what a chat is doing, in whichever process; says whether there was something. */
export async function stopTurn(context: ChatContext, chatId: string): Promise<boolean> {
  const { driver, now } = context.agent
  const run = await openRunOf(driver, chatId)
  if (run === null) return false
  const stopped = stopRun(driver, run.id, now())
  context.playing.get(chatId)?.stop.abort() // what is played here need not find out from the store
  await stopped
  return true
}

import * as z from 'zod'
import { ChatId } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { chats } from '../store/tables.ts'
import { playedInFront, type ChatContext } from './context.ts'
import { nextTurn, StartedTurn, startTurn } from './start-turn.ts'
import { lastRunOf, openRunOf } from './view.ts'

/** The store keeps every word; the model goes on from the summary. */
export const compactChat = defineOperation({
  name: 'chat.compact',
  summary: 'Sum up a chat, so that its model has room again',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({ chat: ChatId, focus: z.string().max(2_000).default('').describe('what the summary must keep above all') }),
  output: StartedTurn,
  example: { chat: 'chat_01', focus: 'what we found out about parsePrice' },
  tell: () => 'The chat is being summed up.',
  run: async (context: ChatContext, { chat: id, focus }) => {
    const { driver } = context.agent
    const { item: chat } = await chats.get(driver, id)
    if ((await lastRunOf(driver, id)) === null)
      throw new Problem('bad_input', 'nothing was said in this chat yet; there is nothing to sum up')
    if ((await openRunOf(driver, id)) !== null)
      throw new Problem('busy', 'a turn is at work, or waits for you; it makes room by itself when it has to')
    const turn = { ...(await nextTurn(context, chat)), plan_id: null }
    const { id: run_id, agent_role } = await startTurn(context, chat, { ...turn, prompt: null, compaction: { focus } })
    return { run_id, agent_role }
  },
})

import { configureChat, stopChat } from '../../chat/configure.ts'
import { answerInChat, continueChat } from '../../chat/continue.ts'
import { createChat } from '../../chat/create.ts'
import { openDemo } from '../../chat/demo.ts'
import { deleteChat } from '../../chat/delete.ts'
import { editPlan } from '../../chat/edit-plan.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import { withdrawMessage } from '../../chat/queue.ts'
import { sendMessage } from '../../chat/send.ts'
import type { ChatContext } from '../../chat/context.ts'
import { listChats, viewChat } from '../../chat/view.ts'
import type { chatContract, ChatView } from '../contract/chat.ts'
import type { Handlers } from '../dispatch.ts'
import { USER } from './desk.ts'

/** How many messages a chat opens with where nobody asked for a number. */
const LAST_MESSAGES = 200

export const chatHandlers: Handlers<keyof typeof chatContract> = {
  listChats: async ({ query }, { driver }) => ({ chats: await listChats(driver, query.search) }),

  createChat: async ({ body }, { context }) => view(context, (await createChat(context, body)).id),

  openDemo: async () => ({ workspace: await openDemo() }),

  getChat: async ({ params, query }, { context }) => viewChat(context, params.id, query),

  deleteChat: async ({ params }, { driver }) => {
    await deleteChat(driver, params.id)
    return { deleted: true }
  },

  configureChat: async ({ params, body }, { context }) => {
    await configureChat(context, params.id, body, USER)
    return view(context, params.id)
  },

  sendMessage: async ({ params, body }, { context }) => {
    const { run, queued } = await sendMessage(context, params.id, body.text, body.message_id)
    return { run_id: run.id, queued }
  },

  withdrawMessage: async ({ params }, { driver }) => {
    await withdrawMessage(driver, params.id, params.message_id)
    return { withdrawn: true }
  },

  executePlan: async ({ params, body }, { context }) => ({
    run_id: (await executePlan(context, params.id, params.plan_id, body.hash, USER)).id,
  }),

  editPlan: async ({ params, body }, { driver, context }) => editPlan(driver, params.id, params.plan_id, body, USER, context.agent.now()),

  answerQuestion: async ({ params, body }, { context }) => answerInChat(context, params.id, params.question_id, body, USER),

  stopChat: async ({ params }, { context }) => ({ stopped: await stopChat(context, params.id) }),

  continueChat: async ({ params }, { context }) => ({ run_id: (await continueChat(context, params.id)).id }),
}

function view(context: ChatContext, chatId: string): Promise<ChatView> {
  return viewChat(context, chatId, { limit: LAST_MESSAGES })
}

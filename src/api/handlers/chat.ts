import { configureChat, stopChat } from '../../chat/configure.ts'
import { answerInChat, continueChat } from '../../chat/continue.ts'
import { createChat } from '../../chat/create.ts'
import { openDemo } from '../../chat/demo.ts'
import { deleteChat } from '../../chat/delete.ts'
import { editPlan } from '../../chat/edit-plan.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import { withdrawMessage } from '../../chat/queue.ts'
import { sendMessage } from '../../chat/send.ts'
import { listChats, viewChat } from '../../chat/view.ts'
import type { chatContract, ChatView } from '../contract/chat.ts'
import type { Handlers } from '../dispatch.ts'
import type { Services } from '../services.ts'
import { USER } from './desk.ts'

/** How many messages a chat opens with where nobody asked for a number. */
const LAST_MESSAGES = 200

export const chatHandlers: Handlers<keyof typeof chatContract> = {
  listChats: async ({ query }, { driver }) => ({ chats: await listChats(driver, query.search) }),

  createChat: async ({ body }, services) => {
    const chat = await createChat(services.stage, body)
    return view(services, chat.id)
  },

  openDemo: async () => ({ workspace: await openDemo() }),

  getChat: async ({ params, query }, { stage }) => viewChat(stage, params.id, query),

  deleteChat: async ({ params }, { driver }) => {
    await deleteChat(driver, params.id)
    return { deleted: true }
  },

  configureChat: async ({ params, body }, services) => {
    await configureChat(services.stage, params.id, body, USER)
    return view(services, params.id)
  },

  sendMessage: async ({ params, body }, { stage }) => {
    const { run, queued } = await sendMessage(stage, params.id, body.text)
    return { run_id: run.id, queued }
  },

  withdrawMessage: async ({ params }, { driver }) => {
    await withdrawMessage(driver, params.id, params.message_id)
    return { withdrawn: true }
  },

  executePlan: async ({ params, body }, { stage }) => {
    const run = await executePlan(stage, params.id, params.plan_id, body.hash, USER)
    return { run_id: run.id }
  },

  editPlan: async ({ params, body }, { driver, stage }) => editPlan(driver, params.id, params.plan_id, body, USER, stage.agent.now()),

  answerQuestion: async ({ params, body }, { stage }) => answerInChat(stage, params.id, params.question_id, body, USER),

  stopChat: async ({ params }, { stage }) => ({ stopped: await stopChat(stage, params.id) }),

  continueChat: async ({ params }, { stage }) => ({ run_id: (await continueChat(stage, params.id)).id }),
}

function view({ stage }: Services, chatId: string): Promise<ChatView> {
  return viewChat(stage, chatId, { limit: LAST_MESSAGES })
}

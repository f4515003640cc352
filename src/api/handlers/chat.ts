import { configureChat, stopChat } from '../../chat/configure.ts'
import { answerInChat, continueChat } from '../../chat/continue.ts'
import { createChat } from '../../chat/create.ts'
import { openDemo } from '../../chat/demo.ts'
import { deleteChat } from '../../chat/delete.ts'
import { editPlan } from '../../chat/edit-plan.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import { withdrawMessage } from '../../chat/queue.ts'
import { sendMessage } from '../../chat/send.ts'
import type { Stage } from '../../chat/stage.ts'
import { listChats, viewChat } from '../../chat/view.ts'
import type { chatContract, ChatView } from '../contract/chat.ts'
import type { Handlers } from '../dispatch.ts'
import { USER } from './desk.ts'

/** How many messages a chat opens with where nobody asked for a number. */
const LAST_MESSAGES = 200

export const chatHandlers: Handlers<keyof typeof chatContract> = {
  listChats: async ({ query }, { driver }) => ({ chats: await listChats(driver, query.search) }),

  createChat: async ({ body }, { stage }) => view(stage, (await createChat(stage, body)).id),

  openDemo: async () => ({ workspace: await openDemo() }),

  getChat: async ({ params, query }, { stage }) => viewChat(stage, params.id, query),

  deleteChat: async ({ params }, { driver }) => {
    await deleteChat(driver, params.id)
    return { deleted: true }
  },

  configureChat: async ({ params, body }, { stage }) => {
    await configureChat(stage, params.id, body, USER)
    return view(stage, params.id)
  },

  sendMessage: async ({ params, body }, { stage }) => {
    const { run, queued } = await sendMessage(stage, params.id, body.text)
    return { run_id: run.id, queued }
  },

  withdrawMessage: async ({ params }, { driver }) => {
    await withdrawMessage(driver, params.id, params.message_id)
    return { withdrawn: true }
  },

  executePlan: async ({ params, body }, { stage }) => ({
    run_id: (await executePlan(stage, params.id, params.plan_id, body.hash, USER)).id,
  }),

  editPlan: async ({ params, body }, { driver, stage }) => editPlan(driver, params.id, params.plan_id, body, USER, stage.agent.now()),

  answerQuestion: async ({ params, body }, { stage }) => answerInChat(stage, params.id, params.question_id, body, USER),

  stopChat: async ({ params }, { stage }) => ({ stopped: await stopChat(stage, params.id) }),

  continueChat: async ({ params }, { stage }) => ({ run_id: (await continueChat(stage, params.id)).id }),
}

function view(stage: Stage, chatId: string): Promise<ChatView> {
  return viewChat(stage, chatId, { limit: LAST_MESSAGES })
}

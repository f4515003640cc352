import * as z from 'zod'
import { ChatChange, ChatConfig, ChatMessage, MessageId, NewChat } from '../../domain/chat.ts'
import { Usage } from '../../domain/entry.ts'
import { Plan, PlanContent, StepStatus } from '../../domain/plan.ts'
import { Question } from '../../domain/question.ts'
import { Run } from '../../domain/run.ts'
import { NonBlank } from '../../domain/text/non-blank.ts'

/** A chat in a list: enough to recognise it and to see whether it needs a person. */
export type ChatSummary = z.infer<typeof ChatSummary>
export const ChatSummary = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  agent_role: z.string(),
  /** The role of the turn at work, which may differ from that of the next one. */
  enforced_role: z.string(),
  updated_at: z.iso.datetime(),
  running: z.boolean(),
  needs_you: z.boolean(),
})

/** A chat, opened: the page of messages asked for, and every record they refer to. */
export type ChatView = z.infer<typeof ChatView>
export const ChatView = ChatSummary.extend({
  config: ChatConfig,
  role_warning: z.string().nullable(),
  usage: Usage,
  run: Run.nullable(),
  messages: z.array(ChatMessage),
  earlier: z.boolean(),
  plans: z.array(Plan),
  questions: z.array(Question),
  delegated: z.array(
    Run.pick({ agent_role: true, status: true }).extend({ call_id: z.string(), run_id: z.string(), messages: z.array(ChatMessage) }),
  ),
  step_progress: z.array(z.object({ step_number: z.int(), status: StepStatus })),
  seq: z.int(),
})

const started = z.object({ run_id: z.string() })

export const chatContract = {
  listChats: {
    summary: 'All chats, newest first',
    query: z.object({ search: z.string().max(200).optional() }),
    reply: z.object({ chats: z.array(ChatSummary) }),
  },
  createChat: {
    summary: 'Open a chat on a workspace folder',
    body: NewChat,
    reply: ChatView,
  },
  openDemo: { summary: 'Copy the demo project to a folder that may be thrown away', reply: z.object({ workspace: z.string() }) },
  getChat: {
    summary: 'One chat with its latest messages, or those before a number',
    query: z.object({ before: z.coerce.number().int().optional(), limit: z.coerce.number().int().min(1).max(100_000).default(200) }),
    reply: ChatView,
  },
  deleteChat: { summary: 'Delete a chat and everything recorded under it', reply: z.object({ deleted: z.literal(true) }) },
  configureChat: {
    summary: 'Change a chat: its role, model, approvals or limits. A role that lacks a right of the one at work needs confirm',
    body: ChatChange,
    reply: ChatView,
  },
  sendMessage: {
    summary: 'Say something; a turn starts, or the one at work reads it with its next request to the model',
    body: z.strictObject({ text: NonBlank.max(200_000), message_id: MessageId.optional() }),
    reply: started.extend({ queued: z.boolean() }),
  },
  withdrawMessage: {
    summary: 'Take back a message that no model has read yet',
    reply: z.object({ withdrawn: z.literal(true) }),
  },
  executePlan: {
    summary: 'Approve exactly this plan, switch to Actor and start',
    body: z.strictObject({ hash: z.string() }),
    reply: started,
  },
  editPlan: { summary: 'Replace a plan by an edited version; an approved plan is void after it', body: PlanContent, reply: Plan },
  answerQuestion: {
    summary: 'Answer a pending question by the value of an option, by free text, or both',
    body: z.strictObject({ value: z.string().optional(), text: z.string().max(20_000).optional() }),
    reply: Question,
  },
  stopChat: { summary: 'Stop the running turn and its processes', reply: z.object({ stopped: z.boolean() }) },
  continueChat: { summary: 'Carry on a run that was interrupted', reply: started },
}

import * as z from 'zod'
import { ChatConfig, ChatId, ChatMessage } from '../domain/chat.ts'
import { Entry, Usage } from '../domain/entry.ts'
import { defineOperation } from '../domain/operation.ts'
import { Plan, StepStatus } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import { Question } from '../domain/question.ts'
import { Run } from '../domain/run.ts'
import { counted } from '../domain/text/format.ts'
import type { ChatContext } from './context.ts'
import { listChats, newestChat, recordingOf, viewChat } from './view.ts'

/** A chat in a list: enough to recognise it and to see whether it needs a person. */
const ChatSummary = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  agent_role: z.string(),
  /** The role of the turn at work, which may differ from that of the next one. */
  enforced_role: z.string(),
  updated_at: z.iso.datetime(),
  pinned: z.boolean(),
  archived: z.boolean(),
  running: z.boolean(),
  /** The last turn failed, and nobody has gone on since. */
  failed: z.boolean(),
  needs_you: z.boolean(),
})

/** A chat, opened: the page of messages asked for, and every record they refer to. */
export type ChatView = z.infer<typeof ChatView>
const ChatView = ChatSummary.extend({
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

export const findChats = defineOperation({
  name: 'chat.list',
  summary: 'List the chats, pinned ones first, then the newest',
  by: ['person'],
  effect: 'read',
  command: 'chat list [search...]',
  input: z.strictObject({
    search: z.string().max(200).optional().describe('words of the title, the folder or what was said'),
    archived: z.boolean().default(false).describe('those that were put away'),
  }),
  output: z.object({ chats: z.array(ChatSummary) }),
  example: { search: 'parser' },
  tell: ({ chats }) => counted(chats.length, 'chat'),
  run: async ({ agent }: ChatContext, { search, archived }) => ({ chats: await listChats(agent.driver, search, archived) }),
})

export const showChat = defineOperation({
  name: 'chat.show',
  summary: 'Show a chat with its latest messages, or those before a number',
  by: ['person'],
  effect: 'read',
  command: 'chat show <chat>',
  input: z.strictObject({
    chat: ChatId,
    before: z.int().optional().describe('only messages before this number'),
    limit: z.int().min(1).max(100_000).default(200).describe('how many entries at most'),
  }),
  output: ChatView,
  example: { chat: 'chat_01' },
  tell: ({ title, messages }) => `${title}: ${counted(messages.length, 'message')}`,
  run: async (context: ChatContext, { chat, ...page }) => viewChat(context, chat, page),
})

export const showRecording = defineOperation({
  name: 'chat.show_recording',
  summary: 'Show the full record of a chat, as the replay provider reads it',
  by: ['person'],
  effect: 'read',
  command: 'chat recording [chat]',
  input: z.strictObject({ chat: ChatId.optional() }),
  output: z.object({ entries: z.array(Entry) }),
  example: { chat: 'chat_01' },
  tell: ({ entries }) => JSON.stringify({ entries }, null, 2),
  run: async ({ agent: { driver } }: ChatContext, { chat }) => {
    const id = chat ?? (await newestChat(driver))?.id
    if (id === undefined) throw new Problem('not_found', 'there is no chat yet')
    return recordingOf(driver, id)
  },
})

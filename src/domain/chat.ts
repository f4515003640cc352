import * as z from 'zod'
import { AttachedFile } from './attachment.ts'
import { withoutSpans } from './text/json-in-text.ts'
import { Cut, ToolOutcome, Usage, type AssistantEntry, type Entry, type ToolEntry } from './entry.ts'
import { Reasoning } from './reasoning.ts'
import { DEFAULT_ROLE, RoleId } from './role.ts'
import { Limits, LimitsChange } from './run.ts'

/** What a person sets for a chat. One older than roles, or than all of this, is an Actor from its first reading on; its next update saves that. */
export type ChatConfig = z.infer<typeof ChatConfig>
export const ChatConfig = z.object({
  agent_role: z.string().default(DEFAULT_ROLE),
  model: z.string().nullable().default(null),
  reasoning: Reasoning.nullable().default(null),
  approvals: z.record(z.string(), z.enum(['allow', 'ask', 'deny'])).default({}),
  limits: Limits.prefault({}),
})

/** A chat: a workspace, a thread of entries under the same id, and the settings a person chose. */
export type Chat = z.infer<typeof Chat>
export const Chat = z.object({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  config: ChatConfig.prefault({}),
  /** Pinned chats come first in the list; archived ones are shown only when asked for. */
  pinned: z.boolean().default(false),
  archived_at: z.iso.datetime().nullable().default(null),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

const title = z.string().trim().min(1).max(200).optional().describe('what the chat is called; else its first message')

/** What a person says to open a chat. */
export const NewChat = z.strictObject({
  workspace: z.string().min(1).describe('the whole path of the folder to work in'),
  title,
  agent_role: RoleId.optional(),
  model: z.string().optional().describe('provider/model; that of the role when left out'),
  reasoning: Reasoning.optional().describe('how long its model thinks; as the role says when left out'),
})

/** What a person may change about a chat; what is left out stays. */
export type ChatChange = z.infer<typeof ChatChange>
export const ChatChange = z.strictObject({
  agent_role: RoleId.optional(),
  confirm: z.boolean().optional().describe('switch although that stops the turn at work'),
  reason: z.string().max(500).optional().describe('why the role is switched, for the history'),
  title,
  model: z.string().nullable().optional().describe('provider/model; that of the role again with null'),
  reasoning: Reasoning.nullable().optional().describe('how long its model thinks; as the role says again with null'),
  approvals: ChatConfig.shape.approvals.removeDefault().optional().describe('by the name of a tool: allow, ask or deny'),
  limits: LimitsChange.optional().describe('how far the chat may go'),
  pinned: z.boolean().optional().describe('keep it first in the list'),
  archived: z.boolean().optional().describe('leave it out of the list'),
})

/** A chat that is named by its id. */
export const ChatId = z.string().min(1).describe('the id of a chat')

/** The id a person's side gives a message before it is sent, made by `newId('entry', …)`. */
export const MessageId = z
  .string()
  .regex(/^entry_[0-9a-z]{25}$/, 'is not the id of a message')
  .describe('Sent again under the same id, a message is said once')

const common = { id: z.string(), number: z.int(), at: z.iso.datetime() }
const spoken = {
  ...common,
  from: z.enum(['user', 'assistant']),
  role: z.string().nullable(),
  text: z.string(),
  model: z.string().nullable(),
}

/** A chat as it is shown: the type of a message says how to draw it. Derived from the entries, never stored. */
export type ChatMessage = z.infer<typeof ChatMessage>
export const ChatMessage = z.discriminatedUnion('type', [
  z.object({
    ...spoken,
    type: z.literal('text'),
    stopped: z.boolean(),
    unparsed: z.string().nullable(),
    cut: Cut.exactOptional(),
    usage: Usage.nullable(),
    attachments: z.array(AttachedFile).exactOptional(),
    queued: z.literal(true).exactOptional(),
  }),
  /** `prose`: its text without the plan or question that is in it. */
  z.object({ ...spoken, type: z.literal('plan'), plan_id: z.string(), prose: z.string(), usage: Usage.nullable() }),
  z.object({ ...spoken, type: z.literal('question'), question_id: z.string(), prose: z.string(), usage: Usage.nullable() }),
  z.object({ ...common, type: z.literal('tool_call'), role: z.string(), call_id: z.string(), tool: z.string(), input: z.unknown() }),
  z.object({
    ...common,
    type: z.literal('tool_result'),
    role: z.string(),
    call_id: z.string(),
    tool: z.string(),
    outcome: ToolOutcome,
    output: z.string(),
    details: z.record(z.string(), z.unknown()),
    attachments: z.array(AttachedFile).exactOptional(),
    took_ms: z.number(),
  }),
  z.object({ ...common, type: z.literal('role_change'), text: z.string(), details: z.record(z.string(), z.unknown()) }),
  /** What a model thought before it spoke, as far as its provider shows it. */
  z.object({ ...common, type: z.literal('thoughts'), role: z.string(), text: z.string() }),
  /** The model goes on from a summary, or without old outputs, from here. */
  z.object({ ...common, type: z.literal('compaction'), text: z.string() }),
  z.object({ ...common, type: z.literal('undo'), text: z.string(), details: z.record(z.string(), z.unknown()) }),
  z.object({ ...common, type: z.literal('error'), text: z.string(), details: z.record(z.string(), z.unknown()) }),
])

/** Calls that hand something to the user: they show as what they hand over, not as calls. */
export const handingOver = ['submit_plan', 'ask_user']

/** The messages one entry shows as: a reply with two calls is a text and two tool calls. */
export function messagesOf(entry: Entry): ChatMessage[] {
  switch (entry.from) {
    case 'user':
      return [wish(entry)]
    case 'tool':
      return [toolMessage(entry)]
    case 'note':
      return noteMessage(entry)
    case 'assistant':
      return [...thoughtsMessage(entry), ...replyMessage(entry), ...callMessages(entry)]
  }
}

function wish({ id, number, at, from, text, attachments, queued }: Extract<Entry, { from: 'user' }>): ChatMessage {
  const said = { id, number, at, from, role: null, text, model: null, usage: null }
  return { ...said, type: 'text', stopped: false, unparsed: null, ...(attachments && { attachments }), ...(queued && { queued }) }
}

/** A switch, a problem, a question of the runtime, or a person's own version of a plan; other notes are for the model alone. */
function noteMessage({ id, number, at, type, text, details }: Extract<Entry, { from: 'note' }>): ChatMessage[] {
  if (type === 'compaction') return [{ id, number, at, type, text }]
  if (type === 'role_change' || type === 'error' || type === 'undo') return [{ id, number, at, type, text, details }]
  const { question_id, plan_id } = details
  const shown = { id, number, at, role: null, text: '', prose: '', model: null, usage: null }
  if (type === 'question' && typeof question_id === 'string') return [{ ...shown, type, from: 'assistant', question_id }]
  return type === 'plan' && typeof plan_id === 'string' ? [{ ...shown, type, from: 'user', plan_id }] : []
}

function thoughtsMessage({ id, number, at, role, thoughts }: AssistantEntry): ChatMessage[] {
  return thoughts === undefined ? [] : [{ id: `${id}/thoughts`, number, at, type: 'thoughts', role, text: thoughts }]
}

function callMessages({ id, number, at, role, calls }: AssistantEntry): ChatMessage[] {
  return calls
    .filter((call) => !handingOver.includes(call.tool))
    .map((call) => ({ id: `${id}/${call.id}`, number, at, type: 'tool_call', role, call_id: call.id, tool: call.tool, input: call.input }))
}

/** A plan or question that a tool handed over looks like one that stood in the text. */
function toolMessage(entry: ToolEntry): ChatMessage {
  const { id, number, at, role, call_id, tool, outcome, output, details, attachments, took_ms } = entry
  const handed = { id, number, at, from: 'assistant' as const, role, text: '', prose: '', model: null, usage: null }
  if (typeof details.plan_id === 'string') return { ...handed, type: 'plan', plan_id: details.plan_id }
  if (tool === 'ask_user' && typeof details.question_id === 'string')
    return { ...handed, type: 'question', question_id: details.question_id }
  const shown = attachments && { attachments }
  return { id, number, at, type: 'tool_result', role, call_id, tool, outcome, output, details, took_ms, ...shown }
}

function replyMessage(entry: AssistantEntry): ChatMessage[] {
  const { id, number, at, role, text, model, usage } = entry
  if (entry.proposals.length > 1) return proposalMessages(entry)
  const said = { id, number, at, from: 'assistant' as const, role, text, model, usage }
  const prose = withoutSpans(text, entry.proposals)
  if (entry.type === 'plan' && entry.plan_id !== null) return [{ ...said, prose, type: 'plan', plan_id: entry.plan_id }]
  if (entry.type === 'question' && entry.question_id !== null) return [{ ...said, prose, type: 'question', question_id: entry.question_id }]
  if (text === '' && entry.calls.length > 0) return []
  const { stopped, unparsed, cut } = entry
  return [{ ...said, type: 'text', stopped, unparsed, ...(cut !== null && { cut }) }]
}

/** Several plans or questions in one reply: a message for each, with the words before it, and one for the words after the last. */
function proposalMessages({ id, number, at, role, text, model, usage, proposals }: AssistantEntry): ChatMessage[] {
  const said = { number, at, from: 'assistant' as const, role, model }
  const ends = proposals.map(({ end }) => behindFence(text, end))
  const messages = proposals.map((proposal, place): ChatMessage => {
    const begins = ends[place - 1] ?? 0
    const prose = text.slice(begins, proposal.start).replace(/```\w*\s*$/, '')
    const part = { ...said, id: place === 0 ? id : `${id}/${proposal.id}`, text: text.slice(begins, ends[place]), prose }
    const counted = { ...part, usage: place === 0 ? usage : null }
    return proposal.type === 'plan'
      ? { ...counted, type: 'plan', plan_id: proposal.id }
      : { ...counted, type: 'question', question_id: proposal.id }
  })
  const rest = text.slice(ends.at(-1))
  if (rest.trim() === '') return messages
  return [...messages, { ...said, id: `${id}/rest`, text: rest, usage: null, type: 'text', stopped: false, unparsed: null }]
}

/** The fence that closes a block belongs to it. */
function behindFence(text: string, end: number): number {
  return end + (/^\s*```/.exec(text.slice(end, end + 100))?.[0].length ?? 0)
}

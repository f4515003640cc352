import * as z from 'zod'
import { Chat, ChatId } from '../domain/chat.ts'
import type { AssistantEntry, Entry } from '../domain/entry.ts'
import { newId } from '../domain/id.ts'
import { defineOperation } from '../domain/operation.ts'
import type { Plan } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import type { Question } from '../domain/question.ts'
import { NonBlank } from '../domain/text/fields.ts'
import { shorten } from '../domain/text/format.ts'
import type { Driver } from '../store/driver.ts'
import { attachedAgain } from '../store/attachments.ts'
import { chats, entries, plans, questions } from '../store/tables.ts'
import { playedInFront, type ChatContext } from './context.ts'
import { sendMessage } from './send.ts'

const TITLE_CHARS = 190

/** The files stay as they are: a fork is about what was said. Nothing that was approved is approved there. */
export const forkChat = defineOperation({
  name: 'chat.fork',
  summary: 'Open a chat that continues from a message of another one',
  by: ['person'],
  effect: 'change',
  command: 'chat fork <chat>',
  input: z.strictObject({
    chat: ChatId,
    number: z.int().nonnegative().optional().describe('the number of the last message to keep; all unless given'),
  }),
  output: Chat,
  example: { chat: 'chat_01', number: 4 },
  tell: ({ id, title }) => `Opened ${id}: ${title}`,
  run: async ({ agent: { driver, now } }: ChatContext, { chat, number }) =>
    driver.transaction((tx) => copyUpTo(tx, chat, number ?? Number.MAX_SAFE_INTEGER, now())),
})

/** The chat it stood in stays as it is; the new one goes on from what was said before it. */
export const resendMessage = defineOperation({
  name: 'chat.resend_message',
  summary: 'Edit a message and send it again, in a new chat with everything said before it',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({ chat: ChatId, message: z.string().describe('the id of your message'), text: NonBlank.max(200_000) }),
  output: Chat,
  example: { chat: 'chat_01', message: 'entry_01', text: 'Find out why, but change nothing yet.' },
  tell: ({ id, title }) => `Opened ${id}: ${title}`,
  run: async (context: ChatContext, { chat, message, text }) => {
    const { driver, now } = context.agent
    const { fork, attachments } = await driver.transaction(async (tx) => {
      const said = await entries.find(tx, message)
      if (said?.item.thread_id !== chat || said.item.from !== 'user')
        throw new Problem('not_found', `the chat ${chat} has no message ${message} of yours`)
      const files = said.item.attachments ?? []
      return { fork: await copyUpTo(tx, chat, said.item.number - 1, now()), attachments: await attachedAgain(tx, files) }
    })
    await sendMessage.run(context, { chat: fork.id, text, attachments })
    return fork
  },
})

async function copyUpTo(tx: Driver, chatId: string, number: number, now: Date): Promise<Chat> {
  const { item: chat } = await chats.get(tx, chatId)
  const id = newId('chat', now)
  const at = now.toISOString()
  const title = `${shorten(chat.title, TITLE_CHARS)} (fork)`
  const kept = wholeTurns(await entries.items(tx, { where: { thread_id: chatId }, order: ['number'] }), number)
  const ids = await copyRecords(tx, chatId, id, kept, now)
  for (const entry of kept) await entries.add(tx, { ...renamed(entry, ids), id: newId('entry', now), thread_id: id, run_id: null })
  return (await chats.add(tx, { ...chat, id, title, pinned: false, archived_at: null, created_at: at, updated_at: at })).item
}

/** Up to a number, without what nobody has read yet; a reply keeps its calls only with all their answers, for no model takes one without the other. */
function wholeTurns(thread: readonly Entry[], number: number): Entry[] {
  const asked = thread.filter((entry) => entry.number <= number && !(entry.from === 'user' && entry.queued))
  const calls = new Set(asked.flatMap((entry) => (entry.from === 'assistant' ? entry.calls.map((call) => call.id) : [])))
  const answers = thread.filter((entry) => entry.from === 'tool' && calls.has(entry.call_id) && isOver(entry))
  const answered = new Set(answers.flatMap((entry) => (entry.from === 'tool' ? [entry.call_id] : [])))
  const words = asked.flatMap((entry) =>
    entry.from === 'tool' ? [] : [entry.from === 'assistant' ? withAnswered(entry, answered) : entry],
  )
  return [...words, ...answers].toSorted((a, b) => a.number - b.number)
}

function isOver(entry: Entry): boolean {
  return entry.from === 'tool' && entry.outcome !== 'running' && entry.outcome !== 'waiting'
}

function withAnswered(entry: AssistantEntry, answered: ReadonlySet<string>): AssistantEntry {
  return { ...entry, calls: entry.calls.filter(({ id }) => answered.has(id)) }
}

/** Copies the plans and questions that the kept entries speak of; gives the new id of each. */
async function copyRecords(tx: Driver, from: string, to: string, kept: readonly Entry[], now: Date): Promise<Map<string, string>> {
  const named = JSON.stringify(kept)
  const ids = new Map<string, string>()
  const copyOf = <Item extends Plan | Question>(item: Item, prefix: string): Item => {
    const id = newId(prefix, now)
    ids.set(item.id, id)
    return { ...item, id, thread_id: to }
  }
  const isNamed = ({ id }: { id: string }) => named.includes(JSON.stringify(id))
  const versions = (await plans.items(tx, { where: { thread_id: from } })).filter(isNamed).toSorted((a, b) => a.version - b.version)
  for (const plan of versions) {
    const status = plan === versions.at(-1) ? 'draft' : 'superseded'
    const previous_id = ids.get(plan.previous_id ?? '') ?? null
    await plans.add(tx, { ...copyOf(plan, 'plan'), status, previous_id, approved_at: null, approved_by: null })
  }
  for (const question of (await questions.items(tx, { where: { thread_id: from } })).filter(isNamed)) {
    const status = question.status === 'pending' ? 'cancelled' : question.status
    await questions.add(tx, { ...copyOf(question, 'question'), status, approval: null })
  }
  return ids
}

/** An entry that speaks of the copies. */
function renamed(entry: Entry, ids: ReadonlyMap<string, string>): Entry {
  const now = (id: string) => ids.get(id) ?? id
  if (entry.from === 'assistant') {
    const { plan_id, question_id, proposals } = entry
    return {
      ...entry,
      plan_id: plan_id && now(plan_id),
      question_id: question_id && now(question_id),
      proposals: proposals.map((proposal) => ({ ...proposal, id: now(proposal.id) })),
    }
  }
  if (entry.from === 'user') return entry
  return {
    ...entry,
    details: Object.fromEntries(Object.entries(entry.details).map(([key, value]) => [key, typeof value === 'string' ? now(value) : value])),
  }
}

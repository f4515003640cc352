import type { Component } from '@earendil-works/pi-tui'
import type { ChatContext } from '../../../chat/context.ts'
import { pendingOf, viewChat } from '../../../chat/view.ts'
import type { ChatMessage } from '../../../domain/chat.ts'
import { cutTexts } from '../../../domain/entry.ts'
import { entries } from '../../../store/tables.ts'
import { inLine, paint, shown } from '../../terminal.ts'
import { firstLine } from '../print.ts'
import { withoutAttached } from '../../../domain/text/named-files.ts'
import { saidBlock, textBlock } from './blocks.ts'
import { newCall } from './call-block.ts'
import { planCard, questionCard } from './cards.ts'
import { newReply } from './reply.ts'

type ChatShown = Awaited<ReturnType<typeof viewChat>>

const LAST_SHOWN = 10

/** The plans or questions a turn ended with, and what can be done about them. Of several questions the first is the one that is answered. */
export function handedOver(chat: ChatShown): Component[] {
  const [question, ...later] = pendingOf(chat.questions)
  if (question) {
    const how = question.approval === null ? 'a number' : 'yes or no'
    const end = `Answer with ${how}, or /answer in your own words; anything else you say withdraws the question${later.length > 0 ? 's' : ''}.`
    return [
      ...later.map(({ content }) => textBlock(paint('dim', `After this one: ${inLine(content.question)}`))),
      questionCard(question),
      textBlock(paint('dim', end)),
    ]
  }
  const drafts = chat.plans.filter(({ status }) => status === 'draft')
  if (drafts.length === 0 || !chat.messages.some(({ type }) => type === 'plan')) return []
  const how =
    drafts.length === 1 ? 'Run it with /execute' : `Choose one: ${drafts.map(({ version }) => `/execute ${version}`).join(' or ')}`
  return [...drafts.map(planCard), textBlock(paint('dim', `${how}, or say what should change.`))]
}

/** What was said last in a chat that is carried on, without what waits in it. */
export async function tailOf(context: ChatContext, chatId: string): Promise<Component[]> {
  const chat = await viewChat(context, chatId, { limit: LAST_SHOWN })
  const above = chat.earlier ? [textBlock(paint('dim', `… earlier messages: troupe chat show ${chatId}`))] : []
  return [
    textBlock(`\n${paint('bold', inLine(chat.title))}`),
    ...above,
    ...chat.messages.flatMap((message) => messageBlocks(chat, message)),
  ]
}

/** A message as it was typed: of what was attached only the names. */
function asTyped({ text, attachments = [] }: Extract<ChatMessage, { type: 'text' }>): string {
  const typed = withoutAttached(text)
  const files = [...typed.files, ...attachments.map(({ name }) => name)]
  return files.length === 0 ? text : `${typed.text}\n+ ${files.join(', ')}`
}

function messageBlocks(chat: ChatShown, message: ChatMessage): Component[] {
  switch (message.type) {
    case 'text':
      if (message.from === 'user') return [saidBlock(asTyped(message))]
      return [replyOf(message.text), ...(message.cut ? [textBlock(paint('yellow', cutTexts[message.cut]))] : [])]
    case 'plan': {
      const plan = chat.plans.find(({ id }) => id === message.plan_id)
      return [replyOf(message.prose), ...(plan === undefined || plan.status === 'draft' ? [] : [planCard(plan)])]
    }
    case 'question': {
      const asked = chat.questions.find(({ id }) => id === message.question_id)
      const answer = asked === undefined || asked.status === 'pending' ? [] : [textBlock(answeredText(asked))]
      return [replyOf(message.prose), ...answer]
    }
    case 'tool_call':
      return []
    case 'tool_result': {
      const call = newCall(message.tool, inputOf(chat.messages, message.call_id), '')
      call.end(message)
      if (typeof message.details['diff'] === 'string' && message.outcome === 'ok') call.changed(message.details['diff'])
      return [call]
    }
    case 'thoughts':
      return [textBlock(paint('dim', `  thought: ${firstLine(message.text)}`))]
    case 'role_change':
    case 'compaction':
    case 'undo':
      return [textBlock(paint('dim', `── ${firstLine(message.text)}`))]
    case 'error':
      return [textBlock(paint('red', `! ${shown(message.text)}`))]
  }
}

function replyOf(text: string): Component {
  const reply = newReply()
  reply.add(text)
  reply.end()
  return reply
}

function answeredText({ content, status, answer }: ChatShown['questions'][number]): string {
  return `${paint('bold', inLine(content.question))} ${paint('dim', `${status}: ${inLine(answer?.label || answer?.text || '')}`)}`
}

function inputOf(messages: readonly ChatMessage[], callId: string): unknown {
  const call = messages.find((message) => message.type === 'tool_call' && message.call_id === callId)
  return call?.type === 'tool_call' ? call.input : undefined
}

/** What a call has changed, as its answer in the store says. */
export async function diffOf({ agent }: ChatContext, thread_id: string, callId: string): Promise<string | null> {
  const thread = await entries.items(agent.driver, { where: { thread_id }, order: ['-number'], limit: 20 })
  const answer = thread.find((entry) => entry.from === 'tool' && entry.call_id === callId)
  const diff = answer?.from === 'tool' ? answer.details['diff'] : undefined
  return typeof diff === 'string' ? diff : null
}

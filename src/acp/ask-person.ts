import {
  methods,
  type AgentContext as Client,
  type ClientCapabilities,
  type CreateElicitationResponse,
  type PermissionOption,
  type RequestPermissionRequest,
  type ToolCallContent,
  type ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import type { GivenAnswer } from '../agent/person/answer.ts'
import type { ChatMessage } from '../domain/chat.ts'
import type { Plan } from '../domain/plan.ts'
import type { Question } from '../domain/question.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import { isYes, APPROVE, REFUSE } from '../tools/approval-question.ts'
import { planText } from './plan.ts'
import { questionMarkdown } from './replay.ts'
import { diffsIn, shownCall, textContent } from './tool-call.ts'

/** The person at the other end of a session, reached through their editor. */
export interface EditorPerson {
  client: Client
  sessionId: string
  workspace: string
  can: ClientCapabilities
  /** Once it is aborted, nobody waits for an answer any more. */
  signal: AbortSignal
}

/** Options of a question that could not be asked in any other way are limited: a list in a dialog is not read. */
const OPTIONS_IN_DIALOG = 8

/** What a person answers to a question; null when the editor cannot ask, or the person put it off. It stays pending then. */
export async function askQuestion(person: EditorPerson, question: Question, thread: readonly ChatMessage[]): Promise<GivenAnswer | null> {
  if (question.approval !== null) return chooseOption(person, approvalCall(person, question, thread), question)
  if (person.can.elicitation?.form) return elicit(person, question)
  if (question.content.options.length > OPTIONS_IN_DIALOG) return null
  const call: ToolCallUpdate = {
    toolCallId: question.id,
    title: question.content.question,
    kind: 'other',
    status: 'pending',
    content: [textContent(questionMarkdown(question))],
  }
  return chooseOption(person, call, question)
}

/** The call that waits, with the change it would make. Editors show title and content alone, so both say what matters. */
function approvalCall({ workspace }: EditorPerson, { content, approval }: Question, thread: readonly ChatMessage[]): ToolCallUpdate {
  const id = approval?.call_id ?? ''
  const call = thread.find((message) => message.type === 'tool_call' && message.call_id === id)
  const shown = call?.type === 'tool_call' ? shownCall(id, call.tool, call.input, workspace) : {}
  return { ...shown, toolCallId: id, status: 'pending', title: content.question, content: approvalContent(workspace, id, content, thread) }
}

function approvalContent(
  workspace: string,
  callId: string,
  content: Question['content'],
  thread: readonly ChatMessage[],
): ToolCallContent[] {
  const waiting = thread.find((message) => message.type === 'tool_result' && message.call_id === callId)
  const previewed = waiting?.type === 'tool_result' ? waiting.details['previewed'] : null
  const diffs = isRecord(previewed) ? diffsIn(previewed, workspace) : []
  const why = content.context.split('\n\n')[0] ?? ''
  return diffs.length > 0 ? [textContent(why), ...diffs] : [textContent(content.context)]
}

async function chooseOption(person: EditorPerson, toolCall: ToolCallUpdate, { content }: Question): Promise<GivenAnswer | null> {
  const options = content.options.map(({ label, value }): PermissionOption => {
    return { optionId: value, name: label, kind: kindOf(value) }
  })
  const value = await choose(person, toolCall, options)
  return value === null ? null : { value }
}

/** An answer that also holds from now on is one that editors mark as such. */
function kindOf(value: string): PermissionOption['kind'] {
  if (value === REFUSE || value === 'no') return 'reject_once'
  return isYes(value) && value !== APPROVE ? 'allow_always' : 'allow_once'
}

/** The option a person chose; null when they chose none. */
export async function choose(person: EditorPerson, toolCall: ToolCallUpdate, options: PermissionOption[]): Promise<string | null> {
  const { client, sessionId, signal } = person
  const request: RequestPermissionRequest = { sessionId, toolCall, options }
  const { outcome } = await client.request(methods.client.session.requestPermission, request, {
    cancellationSignal: signal,
    stopWaitingOnCancel: true,
  })
  if (outcome.outcome !== 'selected') return null
  return options.some(({ optionId }) => optionId === outcome.optionId) ? outcome.optionId : null
}

async function elicit({ client, sessionId, signal }: EditorPerson, { content }: Question): Promise<GivenAnswer | null> {
  const { question, context, severity, options } = content
  const choices = options.map(({ value, label, description }) => ({ const: value, title: label, description }))
  const answered: CreateElicitationResponse = await client.request(
    methods.client.elicitation.create,
    {
      sessionId,
      mode: 'form',
      message: [question, context, ...(severity === 'critical' ? ['This is critical.'] : [])].filter(Boolean).join('\n\n'),
      requestedSchema: {
        type: 'object',
        properties: {
          value: { type: 'string', title: 'Answer', oneOf: choices, ...(content.default !== null && { default: content.default }) },
          text: { type: 'string', title: 'In your own words (optional)' },
        },
      },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  )
  if (answered.action !== 'accept' || !isRecord(answered['content'])) return null
  const { value, text } = answered['content']
  const given = { value: wordsIn(value), text: wordsIn(text) }
  return given.value === undefined && given.text === undefined ? null : given
}

function wordsIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The plan a person wants carried out; null when they want to go on planning. What they agree to is bound to the plans they were shown. */
export async function askToExecute(person: EditorPerson, drafts: readonly Plan[]): Promise<Plan | null> {
  const [first] = drafts
  if (first === undefined) return null
  const call: ToolCallUpdate = {
    toolCallId: first.id,
    title: drafts.length === 1 ? `Execute plan ${first.version}: ${first.content.goal}?` : `Execute one of ${drafts.length} plans?`,
    kind: 'switch_mode',
    status: 'pending',
    content: drafts.map((plan) => textContent(planText(plan))),
  }
  const value = await choose(person, call, [
    ...drafts.map(({ id, version }): PermissionOption => ({ optionId: id, name: `Execute plan ${version}`, kind: 'allow_once' })),
    { optionId: 'keep_planning', name: 'Keep planning', kind: 'reject_once' },
  ])
  return drafts.find(({ id }) => id === value) ?? null
}

import { setTimeout } from 'node:timers/promises'
import type { AgentContext as Client, ContentBlock, PromptRequest, PromptResponse, StopReason } from '@agentclientprotocol/sdk'
import { answerInChat } from '../chat/continue.ts'
import { untilQuiet } from '../chat/context.ts'
import { executePlan } from '../chat/execute-plan.ts'
import { sendMessage } from '../chat/send.ts'
import { stopTurn } from '../chat/stop.ts'
import { pendingOf, viewChat } from '../chat/view.ts'
import { perform } from '../domain/operation.ts'
import { isProblemCode, Problem } from '../domain/problem.ts'
import { askQuestion, askToExecute, type EditorPerson } from './ask-person.ts'
import { planUpdate } from './plan.ts'
import { readPrompt } from './prompt-content.ts'
import { questionMarkdown, replayed } from './replay.ts'
import type { AcpServices } from './services.ts'
import { needSession, tellChoices, tellUsage, type AcpConnection, type AcpSession } from './session.ts'

/** Enough of a thread to find the call that an approval is about. */
const RECENT_ENTRIES = 50
const LOOK_EVERY_MS = 300

type ChatShown = Awaited<ReturnType<typeof viewChat>>

/** Plays one prompt: until the agent has nothing more to do, or waits for what its person did not answer. */
export async function playPrompt(connection: AcpConnection, client: Client, request: PromptRequest): Promise<PromptResponse> {
  const session = needSession(connection, request.sessionId)
  if (session.prompt !== null) throw new Problem('busy', 'a prompt of this session is at work; wait for it, or cancel it first')
  const stop = new AbortController()
  session.prompt = stop
  try {
    const services = await connection.services()
    const person: EditorPerson = { client, sessionId: session.id, workspace: session.workspace, can: connection.can, signal: stop.signal }
    const seen = await whatIsThere(services, session)
    const isCommand = await takePrompt(services, session, request.prompt)
    if (isCommand) await tellChoices(services, session)
    return { stopReason: await followTurn(services, session, person, seen) }
  } catch (error) {
    if (stop.signal.aborted) return { stopReason: 'cancelled' }
    throw error
  } finally {
    session.prompt = null
  }
}

/** Stops the turn of a session and its processes. The prompt that started it is then answered as cancelled. */
export async function cancelPrompt(services: AcpServices, session: AcpSession): Promise<void> {
  session.prompt?.abort()
  await stopTurn(services.context, session.id)
}

/** A prompt is a command, an answer to what waits, or a message; says whether it was a command. */
async function takePrompt(services: AcpServices, session: AcpSession, blocks: readonly ContentBlock[]): Promise<boolean> {
  const { context } = services
  const { text, attachments } = readPrompt(blocks, session.workspace)
  const tell = (said: string) => session.send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `${said}\n` } })
  if (attachments.length === 0 && (await services.obey(session.id, text.trim(), tell))) return true
  const [question] = pendingOf((await viewChat(context, session.id, { limit: 1 })).questions)
  if (question !== undefined && question.approval === null) {
    await perform(answerInChat, context, { chat: session.id, question: question.id, text })
    return false
  }
  await perform(sendMessage, context, { chat: session.id, text, ...(attachments.length > 0 && { attachments }) })
  return false
}

/** What a prompt finds when it begins: only what comes after is news. */
interface Seen {
  number: number
  plans: Set<string>
}

async function whatIsThere({ context }: AcpServices, session: AcpSession): Promise<Seen> {
  const { messages, plans } = await viewChat(context, session.id, { limit: 1 })
  return { number: messages.at(-1)?.number ?? -1, plans: new Set(plans.map(({ id }) => id)) }
}

/** Waits for the turn, asks the person what it needs to know, and goes on, until there is nothing left to do. */
async function followTurn(services: AcpServices, session: AcpSession, person: EditorPerson, seen: Seen): Promise<StopReason> {
  for (;;) {
    const chat = await untilAtRest(services, session, person.signal, seen)
    if (person.signal.aborted) return 'cancelled'
    tellProgress(session, chat)
    await tellUsage(services, session)
    const goesOn = (await answered(services, session, person, chat)) || (await executed(services, session, person, chat, seen))
    if (!goesOn) return stopReasonOf(chat)
  }
}

/** The chat once nothing of it is at work. A turn that another process plays, such as that of the page, is told from the store. */
async function untilAtRest({ context }: AcpServices, session: AcpSession, signal: AbortSignal, seen: Seen): Promise<ChatShown> {
  let elsewhere = false
  for (;;) {
    await untilQuiet(context, session.id)
    const chat = await viewChat(context, session.id, { limit: RECENT_ENTRIES })
    elsewhere ||= chat.running && !context.playing.has(session.id)
    const news = chat.messages.filter(({ number }) => number > seen.number)
    seen.number = chat.messages.at(-1)?.number ?? seen.number
    if (elsewhere) for (const update of news.filter(isNotTyped).flatMap((message) => replayed(message, chat))) session.send(update)
    if (!chat.running || signal.aborted) return chat
    await setTimeout(LOOK_EVERY_MS)
  }
}

/** The editor shows what its person typed by itself. */
function isNotTyped(message: ChatShown['messages'][number]): boolean {
  return message.type !== 'text' || message.from !== 'user'
}

/** Asks the first question that waits; says whether the turn goes on with the answer. */
async function answered({ context }: AcpServices, session: AcpSession, person: EditorPerson, chat: ChatShown): Promise<boolean> {
  const [question] = pendingOf(chat.questions)
  if (question === undefined) return false
  const answer = await askQuestion(person, question, chat.messages)
  if (answer !== null) {
    await perform(answerInChat, context, { chat: session.id, question: question.id, ...answer })
    return true
  }
  const text = `\n\n${questionMarkdown(question)}\n\nReply with a number or in your own words.`
  session.send({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
  return false
}

/** Asks whether a plan that was just handed in is to be carried out; says whether that began. Each is asked about once. */
async function executed(services: AcpServices, session: AcpSession, person: EditorPerson, chat: ChatShown, seen: Seen): Promise<boolean> {
  const drafts = chat.plans.filter(({ id, status }) => status === 'draft' && !seen.plans.has(id))
  for (const { id } of drafts) seen.plans.add(id)
  const plan = await askToExecute(person, drafts)
  if (plan === null) return false
  await perform(executePlan, services.context, { chat: session.id, plan: plan.id, hash: plan.hash })
  await tellChoices(services, session)
  return true
}

function tellProgress(session: AcpSession, { plans, step_progress }: ChatShown): void {
  const plan = plans.findLast(({ status }) => status === 'approved' || status === 'executed')
  if (plan !== undefined && step_progress.length > 0) session.send(planUpdate(plan.content, step_progress))
}

/** Why the turn ended. A turn that failed is an error, so that the editor shows it as one. */
function stopReasonOf({ run, messages }: ChatShown): StopReason {
  if (run === null) return 'end_turn'
  if (run.status === 'stopped') return 'cancelled'
  if (run.status !== 'failed')
    return messages.some((message) => message.type === 'text' && message.cut === 'length') ? 'max_tokens' : 'end_turn'
  const code = isProblemCode(run.reason) ? run.reason : 'internal'
  if (code === 'turn_limit' || code === 'budget') return 'max_turn_requests'
  if (code === 'provider_refused') return 'refusal'
  const error = messages.findLast((message) => message.type === 'error')
  throw new Problem(code, error?.type === 'error' ? error.text : `the turn failed: ${code}`)
}

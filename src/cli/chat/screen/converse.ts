import { placesFor } from '../../../config/places.ts'
import { stopChat } from '../../../chat/stop.ts'
import { untilQuiet, type ChatContext } from '../../../chat/context.ts'
import { viewChat } from '../../../chat/view.ts'
import { asProblem } from '../../../domain/problem.ts'
import { sayWarnings } from '../../open/parts.ts'
import { paint, rehearsalNotice, shown } from '../../terminal.ts'
import { withStage } from '../area.ts'
import type { TalkOptions } from '../chat.ts'
import { flipRole, obey, onlyAsks, type Talk } from '../orders.ts'
import { sayInChat } from '../say-in-chat.ts'
import { chatFor, leaveChat } from '../talk.ts'
import { saidBlock } from './blocks.ts'
import { completionFor } from './completion-for.ts'
import { openHistory, type InputHistory } from './history.ts'
import { liveBlocks } from './live.ts'
import { diffOf, handedOver, tailOf } from './shown-chat.ts'
import { openScreen, type Screen } from './screen.ts'

const HINT = '/help lists the commands, @ attaches a file, Shift+Tab switches the role, Alt+Enter breaks the line, Esc stops.'

/** A chat on a screen that is drawn: what a person writes and what is said never mix. */
export async function converse(workspace: string, options: TalkOptions, first: string): Promise<void> {
  let hear: ReturnType<typeof liveBlocks> | null = null
  await withStage(
    workspace,
    (event) => hear?.(event),
    async (context) => {
      const { chatId, isNew } = await chatFor(context, workspace, options)
      const { agent } = await context.at(workspace)
      await sayWarnings(agent)
      const history = await openHistory(placesFor(process.env, workspace).home, workspace, agent.secrets ?? [])
      const conversation = openConversation(context, chatId, history)
      const { screen, talking } = conversation
      hear = liveBlocks({
        add: (block) => screen.add(block),
        draw: () => screen.draw(),
        await: (what) => awaiting(conversation, what),
        diffOf: ({ thread_id, call_id }) => diffOf(context, thread_id, call_id),
        refresh: () => void refresh(conversation),
      })
      try {
        await begin(conversation, isNew, first)
        await conversation.left
      } finally {
        for (const { stop } of context.playing.values()) stop.abort()
        await untilQuiet(context, talking.chatId)
        await conversation.doing
        await conversation.settling
        screen.close()
      }
      await leaveChat(talking, isNew && talking.chatId === chatId)
    },
  )
}

/** A person at a screen, the chat it shows, and what is under way. */
interface Conversation {
  talking: Talk
  screen: Screen
  history: InputHistory
  left: Promise<void>
  hasLeft: boolean
  /** Lines are carried out one after the other. */
  doing: Promise<unknown>
  /** Waits for the turn under way. */
  settling: Promise<unknown> | null
}

function openConversation(context: ChatContext, chatId: string, history: InputHistory): Conversation {
  const { promise: left, resolve } = Promise.withResolvers<void>()
  const leave = () => {
    conversation.hasLeft = true
    resolve()
  }
  const tell = (text: string) => screen.tell(text)
  const turnTo = async (id: string) => {
    talking.chatId = id
    await showTail(conversation)
  }
  const talking: Talk = { context, chatId, leave, tell, turnTo, toShow: false, switchingTo: null, attachments: [], json: false }
  const screen = openScreen({
    submit: (text) => void (conversation.doing = conversation.doing.then(() => submit(conversation, text))),
    isAtWork: () => context.playing.has(talking.chatId),
    stop: () => void attempt(conversation, () => stopChat.run(context, { chat: talking.chatId })),
    flip: () => void attempt(conversation, () => flipRole(talking)).then(() => refresh(conversation)),
    leave,
  })
  const conversation: Conversation = { talking, screen, history, left, hasLeft: false, doing: Promise.resolve(), settling: null }
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.once(signal, leave)
  process.removeAllListeners('warning').on('warning', ({ message }) => tell(paint('yellow', shown(message))))
  return conversation
}

async function begin(conversation: Conversation, isNew: boolean, first: string): Promise<void> {
  const { talking, screen, history } = conversation
  const { workspace, agent_role } = await viewChat(talking.context, talking.chatId, { limit: 1 })
  screen.remember(history.lines)
  screen.complete(completionFor(talking, workspace))
  await refresh(conversation)
  if (screen.status.model === 'rehearsal') screen.tell(rehearsalNotice)
  screen.tell(paint('dim', `${shown(agent_role)} on ${shown(screen.status.model)} in ${shown(workspace)}\n${HINT}`))
  if (!isNew) await showTail(conversation)
  if (first !== '') await submit(conversation, first)
}

async function submit(conversation: Conversation, text: string): Promise<void> {
  const { talking, screen, history } = conversation
  screen.add(saidBlock(text))
  if (text !== '/quit') void attempt(conversation, () => history.add(text))
  const done = await attempt(conversation, () => carryOut(conversation, text))
  talking.toShow = (done && !onlyAsks(text)) || talking.toShow
  await refresh(conversation)
  conversation.settling ??= attempt(conversation, () => settle(conversation)).finally(() => (conversation.settling = null))
}

/** A line is an order, the number of an option of the pending question, or something to say. */
async function carryOut({ talking, screen }: Conversation, text: string): Promise<void> {
  if (await obey(talking, text)) return
  for (const told of await sayInChat(talking, text)) screen.tell(paint('dim', told))
}

async function settle(conversation: Conversation): Promise<void> {
  const { context, chatId } = conversation.talking
  if (context.playing.has(chatId)) awaiting(conversation, 'thinking')
  await untilQuiet(context, chatId)
  awaiting(conversation, null)
  if (conversation.hasLeft) return
  if (conversation.talking.toShow) await showHandedOver(conversation)
  conversation.talking.toShow = false
  await refresh(conversation)
}

async function showTail(conversation: Conversation): Promise<void> {
  const { context, chatId } = conversation.talking
  for (const part of await tailOf(context, chatId)) conversation.screen.add(part)
  await showHandedOver(conversation)
}

async function showHandedOver({ talking: { context, chatId }, screen }: Conversation): Promise<void> {
  for (const part of handedOver(await viewChat(context, chatId, { limit: 1 }))) screen.add(part)
}

function awaiting({ screen: { status } }: Conversation, what: string | null): void {
  if (what !== null && status.awaited === null) status.since = performance.now()
  status.awaited = what
}

/** Reads again what the foot of the screen tells. */
async function refresh(conversation: Conversation): Promise<void> {
  const { talking, screen, hasLeft } = conversation
  if (hasLeft) return
  await attempt(conversation, async () => {
    const chat = await viewChat(talking.context, talking.chatId, { limit: 1 })
    screen.status.model = (await talking.context.at(chat.workspace)).modelFor(chat.agent_role, chat.config.model)
    screen.status.chat = chat
    screen.draw()
  })
}

/** Says whether it went well; if not, the person is told why. */
async function attempt({ screen, hasLeft }: Conversation, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (!hasLeft) screen.tell(paint('red', shown(asProblem(error).message)))
    return false
  }
}

import { resolve } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { existingFolder } from '../../sandbox/files/existing-folder.ts'
import { exitCodeOf } from '../../agent/run/end.ts'
import { stopChat } from '../../chat/stop.ts'
import { createChat } from '../../chat/create.ts'
import { deleteChat } from '../../chat/delete.ts'
import { openDemo } from '../../chat/demo.ts'
import { untilQuiet, type ChatContext } from '../../chat/context.ts'
import { newestChat, pendingOf, viewChat } from '../../chat/view.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { TalkOptions } from './chat.ts'
import { flipRole, obey, onlyAsks, type Talk } from './orders.ts'
import { sayInChat } from './say-in-chat.ts'
import { livePrinter } from './live.ts'
import { chatText, printedPlan, questionText, roleText, usedText } from './print.ts'
import { sayWarnings } from '../open/parts.ts'
import { withStage } from './area.ts'
import { spinner, type Spinner } from '../spinner.ts'
import { paint, print, printJson, rehearsalNotice, say, shown } from '../terminal.ts'

const STOP = '/stop'
const EVERY_MESSAGE = 100_000
const LAST_SHOWN = 6

const HINT =
  'Shift+Tab or /role switches the role, /execute runs the plan, /stop stops, /help lists all; Ctrl+C stops, then leaves. You can type while it works.'

/** A chat in the terminal, until the person leaves. Where a screen can be drawn it is; else, and for scripts, lines are read and printed. */
export async function talk(options: TalkOptions, first: string): Promise<void> {
  const workspace = options.demo === true ? await openDemo() : resolve(options.cwd ?? '.')
  const { stdin, stdout, env } = process
  if (options.json !== true && stdin.isTTY && stdout.isTTY && env['TERM'] !== 'dumb') {
    const { converse } = await import('./screen/converse.ts')
    return converse(workspace, options, first)
  }
  return talkInLines(workspace, options, first)
}

/** The same by lines: Ctrl+D, /quit or Ctrl+C at rest leaves. */
async function talkInLines(workspace: string, options: TalkOptions, first: string): Promise<void> {
  const json = options.json === true
  const waiting = spinner()
  process.stdin.once('keypress', waiting.rest) // who types while the agent works sees what they type
  const hearing = json ? () => undefined : livePrinter(waiting)
  await withStage(workspace, hearing, async (context) => {
    const { chatId, isNew } = await chatFor(context, workspace, options)
    const input = createInterface({ input: process.stdin, output: process.stderr, prompt: '' })
    const lines = input[Symbol.asyncIterator]() // asked for later, it would miss what is piped in meanwhile
    const left = new AbortController() // what was handed over has been shown before
    const leave = () => {
      left.abort()
      input.close()
    }
    const turnTo = async (id: string) => {
      talking.chatId = id
      await showEnd(talking)
    }
    const talking: Talk = { context, chatId, leave, tell: print, turnTo, toShow: false, switchingTo: null, attachments: [], json }
    await sayWhere(talking)
    if (!isNew && !json) await showEnd(talking)
    watchKeys(talking, input)
    await showPrompt(talking, input)
    const turn: { settling: Promise<void> | null } = { settling: null }
    const hear = async (line: string) => {
      talking.toShow = (await takeLine(talking, line)) || talking.toShow
      if (context.playing.has(talking.chatId)) waiting.wait('thinking')
      turn.settling ??= settle(talking, input, left.signal, waiting).finally(() => (turn.settling = null))
      // A person may speak while the agent works; lines that were piped in are a script and wait their turn.
      if (!process.stdin.isTTY) await turn.settling
    }
    if (first !== '') {
      say(shown(first))
      await hear(first)
    }
    for await (const line of lines) await hear(line.trim())
    left.abort()
    for (const { stop } of context.playing.values()) stop.abort()
    await turn.settling
    waiting.rest()
    await leaveChat(talking, isNew)
  })
}

/** A chat in which nothing was said is not kept; of any other a script is told what came of it, and a person how to come back. */
export async function leaveChat({ context, chatId, json }: Talk, isNew: boolean): Promise<void> {
  const chat = await viewChat(context, chatId, { limit: json ? EVERY_MESSAGE : 1 })
  if (isNew && chat.messages.length === 0) await deleteChat.run(context, { chat: chatId })
  else if (process.stdin.isTTY) say(paint('dim', `\nContinue with: troupe chat --resume ${chatId}`, process.stderr))
  if (!json) return
  printJson(chat)
  if (chat.run !== null) process.exitCode = exitCodeOf(chat.run)
}

/** What was said last in a chat that is carried on, and what waits in it. */
async function showEnd(talking: Talk): Promise<void> {
  const chat = await viewChat(talking.context, talking.chatId, { limit: LAST_SHOWN })
  const handedOver = ['plan', 'question'].includes(chat.messages.at(-1)?.type ?? '')
  const before = handedOver ? chat.messages.slice(0, -1) : chat.messages // what waits is shown below, with what can be done about it
  print(chatText({ ...chat, messages: before }))
  await showHandedOver(talking)
}

/** Who listens, where, and what the keys do. */
async function sayWhere({ context, chatId }: Talk): Promise<void> {
  const { agent_role, workspace, config } = await viewChat(context, chatId, { limit: 1 })
  const { agent, modelFor } = await context.at(workspace)
  const model = modelFor(agent_role, config.model)
  await sayWarnings(agent)
  if (model === 'rehearsal') say(rehearsalNotice)
  say(paint('dim', `${shown(agent_role)} on ${shown(model)} in ${shown(workspace)}\n${HINT}`, process.stderr))
}

/** Waits for the turn under way, then shows what it ended with and asks for the next line. */
async function settle(talking: Talk, input: Interface, left: AbortSignal, waiting: Spinner): Promise<void> {
  await untilQuiet(talking.context, talking.chatId)
  waiting.rest()
  if (left.aborted) return
  if (talking.toShow) await showHandedOver(talking)
  talking.toShow = false
  await showPrompt(talking, input)
}

export async function chatFor(context: ChatContext, workspace: string, options: TalkOptions): Promise<{ chatId: string; isNew: boolean }> {
  if (options.resume !== undefined) return { chatId: (await viewChat(context, options.resume, { limit: 1 })).id, isNew: false }
  if (options.continue === true) {
    const folder = existingFolder(workspace)
    const last = await newestChat(context.agent.driver, folder)
    if (last === null) throw new Problem('not_found', `there is no chat in ${workspace} to continue; leave --continue out to start one`)
    return { chatId: last.id, isNew: false }
  }
  const { model, reasoning } = options
  const { id } = await createChat.run(context, { workspace, agent_role: options.role ?? 'planner', model, reasoning })
  return { chatId: id, isNew: true }
}

/** Says whether a line did something: after a mistyped one there is nothing to show but what was wrong. */
async function takeLine(talking: Talk, line: string): Promise<boolean> {
  try {
    await carryOut(talking, line)
    return line !== '' && !onlyAsks(line)
  } catch (error) {
    say(paint('red', asProblem(error).message, process.stderr))
    return false
  }
}

/** A line is an order, the number of an option of the pending question, or something to say. */
async function carryOut(talking: Talk, line: string): Promise<void> {
  if (line === '' || line === STOP) return // a stop is carried out as it is typed
  if (await obey(talking, line)) return
  for (const told of await sayInChat(talking, line)) say(paint('dim', told, process.stderr))
}

/** Ctrl+C and /stop stop the turn at once, not in their turn; at rest Ctrl+C leaves. Shift+Tab flips between planning and acting; more rights need a yes. */
function watchKeys(talking: Talk, input: Interface): void {
  const { context } = talking
  input.on('SIGINT', () => {
    if (!context.playing.has(talking.chatId)) return talking.leave()
    void stopChat.run(context, { chat: talking.chatId }).catch((error: unknown) => say(asProblem(error).message))
  })
  input.on('line', (line) => {
    if (line.trim() === STOP) void obey(talking, STOP).catch((error: unknown) => say(asProblem(error).message))
  })
  process.stdin.on('keypress', (_text: unknown, key: { name?: string; shift?: boolean } | undefined) => {
    if (key?.name !== 'tab' || key.shift !== true) return
    void flipRole(talking)
      .then(() => showPrompt(talking, input))
      .catch((error: unknown) => say(asProblem(error).message))
  })
}

async function showPrompt({ context, chatId }: Talk, input: Interface & { closed?: boolean }): Promise<void> {
  if (input.closed === true) return // what was piped in is all there is
  const chat = await viewChat(context, chatId, { limit: 1 })
  const asks = chat.questions.some(({ status }) => status === 'pending')
  input.setPrompt(`${paint('bold', roleText(chat), process.stderr)}${asks ? ' (a question waits)' : ''} › `)
  input.prompt()
}

/** The plans or questions a turn ended with, and what can be done about them. Of several questions the first is the one that is answered. */
async function showHandedOver({ context, chatId, json }: Talk): Promise<void> {
  if (json) return
  const chat = await viewChat(context, chatId, { limit: 1 })
  if (chat.run !== null) say(paint('dim', usedText(chat), process.stderr))
  const [question, ...later] = pendingOf(chat.questions)
  if (question) {
    for (const { content } of later) print(paint('dim', `After this one: ${shown(content.question)}`))
    const how = question.approval === null ? 'a number' : 'yes or no'
    return print(
      `${questionText(question)}\nAnswer with ${how}, or /answer in your own words; anything else you say withdraws the question${later.length > 0 ? 's' : ''}.`,
    )
  }
  const drafts = chat.plans.filter(({ status }) => status === 'draft')
  if (drafts.length === 0 || !chat.messages.some(({ type }) => type === 'plan')) return
  const how =
    drafts.length === 1 ? 'Run it with /execute' : `Choose one: ${drafts.map(({ version }) => `/execute ${version}`).join(' or ')}`
  print(`${drafts.map(printedPlan).join('\n')}\n${how}, or say what should change.`)
}

import { resolve } from 'node:path'
import type { Command } from 'commander'
import { exitCodeOf } from '../../agent/run/end.ts'
import { answerInChat } from '../../chat/continue.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import { untilQuiet, type ChatContext } from '../../chat/context.ts'
import { chatOperations } from '../../chat/operations.ts'
import { pendingOf, planMeant, viewChat, type listChats } from '../../chat/view.ts'
import { closest } from '../../domain/text/closest.ts'
import { Problem } from '../../domain/problem.ts'
import type { Reasoning } from '../../domain/reasoning.ts'
import { chatText } from './print.ts'
import { addCommands } from '../operation-commands.ts'
import { reasoningOption } from '../run/options.ts'
import { chatArea, withChats } from './area.ts'
import { columns, inLine, paint, printResult } from '../terminal.ts'
import { verb } from '../verb.ts'

const EVERY_MESSAGE = 100_000

/** `troupe chat [talk] | execute | answer`, and what the operations of a chat give. */
export function define(chat: Command): void {
  chat
    .command('talk', { isDefault: true })
    .description('plan and act with an agent in this terminal (the default)')
    .option('--role <id>', 'the role of a new chat (planner)')
    .option('--model <name>', 'provider/model of a new chat, or replay:FILE to play a recording again')
    .addOption(reasoningOption())
    .option('--cwd <folder>', 'the folder to work in; this one when left out')
    .option('--demo', 'use a copy of the demo project')
    .option('--continue', 'continue the last chat in this folder')
    .option('--resume <id>', 'continue this chat')
    .argument('[words...]', 'what to say first')
    .action(async (words: string[], _options: TalkOptions, command: Command) => {
      const first = firstMessage(words, chat)
      const { talk } = await import('./talk.ts')
      await talk(command.optsWithGlobals<TalkOptions>(), first)
    })
  chat.addHelpText('after', '\nOptions of troupe chat itself: troupe chat talk --help')
  addCommands(chat, chatOperations, chatArea, {
    'chat.create': { fields: async () => ({ workspace: resolve('.') }) },
    'chat.list': { print: listText },
    'chat.show': { fields: async () => ({ limit: EVERY_MESSAGE }), print: chatText },
  })
  chat
    .command('execute <id>')
    .description('approve the newest plan of a chat and carry it out')
    .option('--plan <plan>', 'the id or the version of the plan; needed when there are several')
    .action(onStage(execute))
  chat
    .command('answer <id>')
    .description('answer the question a chat waits for')
    .argument('[value]', 'the value of an option')
    .option('--text <words>', 'an answer in your own words')
    .option('--question <question>', 'the id of the question; needed when several are open')
    .action(onStage(answer))
}

export interface TalkOptions {
  role?: string
  model?: string
  reasoning?: Reasoning
  cwd?: string
  continue?: boolean
  resume?: string
  demo?: boolean
  json?: boolean
}

/** Talking is the default verb, so a mistyped verb arrives as something to say; without `talk` nobody begins a chat with a single word. */
function firstMessage(words: string[], chat: Command): string {
  const word = words.join(' ').trim()
  if (word === '' || /\s/.test(word) || chat.args[0] === 'talk') return word
  const verbs = chat.commands.map((each) => each.name())
  const near = closest(word, verbs)
  throw new Problem(
    'bad_input',
    `unknown command troupe chat ${word}; ${near === null ? `the commands are ${verbs.join(', ')}` : `did you mean ${near}?`}`,
  )
}

function onStage<Words extends unknown[]>(work: (context: ChatContext, json: boolean, ...words: Words) => Promise<void>) {
  return verb<Words>((json, ...words) => withChats((context) => work(context, json, ...words)))
}

function listText({ chats }: { chats: Awaited<ReturnType<typeof listChats>> }): string {
  if (chats.length === 0) return 'No chats; start one with: troupe chat'
  return columns(chats.map((chat) => [chat.id, chat.enforced_role, standing(chat), inLine(chat.title)]))
}

function standing({ needs_you, failed, running }: { needs_you: boolean; failed: boolean; running: boolean }): string {
  if (needs_you) return paint('red', 'needs you')
  if (failed) return paint('red', 'failed')
  return running ? 'at work' : ''
}

async function execute(context: ChatContext, json: boolean, id: string, { plan: named }: { plan?: string }): Promise<void> {
  const plan = planMeant((await viewChat(context, id, { limit: 1 })).plans, named)
  await executePlan.run(context, { chat: id, plan: plan.id, hash: plan.hash })
  await tellEnd(context, id, json)
}

interface AnswerOptions {
  text?: string
  question?: string
}

async function answer(
  context: ChatContext,
  json: boolean,
  id: string,
  value: string | undefined,
  { text, question }: AnswerOptions,
): Promise<void> {
  const pending = pendingOf((await viewChat(context, id, { limit: 1 })).questions)
  if (question === undefined && pending.length > 1) {
    const choice = pending.map((each) => `${each.id}: ${each.content.question}`).join('; ')
    throw new Problem('bad_input', `${pending.length} questions wait, so say which one with --question: ${choice}`)
  }
  const meant = question ?? pending[0]?.id
  if (meant === undefined) throw new Problem('not_found', `the chat ${id} is not waiting for an answer`)
  await answerInChat.run(context, { chat: id, question: meant, value, text })
  await tellEnd(context, id, json)
}

/** Waits for the turn to end and tells how, also by the exit code. */
async function tellEnd(context: ChatContext, id: string, json: boolean): Promise<void> {
  await untilQuiet(context, id)
  const chat = await viewChat(context, id, { limit: EVERY_MESSAGE })
  printResult(json, chat, chatText(chat))
  const { run } = chat
  if (run !== null) process.exitCode = exitCodeOf(run)
}

import { compactChat } from '../../chat/compact.ts'
import { configureChat } from '../../chat/configure.ts'
import { stopTurn } from '../../chat/stop.ts'
import { answerInChat, continueChat } from '../../chat/continue.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import type { ChatContext } from '../../chat/context.ts'
import { listChats, pendingOf, planMeant, viewChat } from '../../chat/view.ts'
import type { NewAttachment } from '../../domain/attachment.ts'
import { closest } from '../../domain/text/closest.ts'
import { permissionWords } from '../../domain/permission-words.ts'
import { missingPermissions } from '../../domain/permission.ts'
import { Problem } from '../../domain/problem.ts'
import { Reasoning } from '../../domain/reasoning.ts'
import { modeOf } from '../../domain/role.ts'
import type { Roles } from '../../roles/roles.ts'
import { APPROVE, REFUSE } from '../../tools/approval-question.ts'
import { columns, inLine } from '../terminal.ts'
import { orderAttach } from './say-in-chat.ts'
import { orderDiff, orderRestore, orderUndo } from './file-orders.ts'
import { printedPlan, usedText } from './print.ts'

/** A chat being talked to in a terminal. */
export interface Talk {
  context: ChatContext
  chatId: string
  leave: () => void
  /** Says something of ours. */
  tell: (text: string) => void
  /** Shows another chat from now on. */
  turnTo: (chatId: string) => Promise<void>
  /** Whether something happened since the chat was shown last. */
  toShow: boolean
  /** The role that the next line may confirm; any line but a yes lets it go. */
  switchingTo: string | null
  /** Goes with the next message. */
  attachments: NewAttachment[]
  /** One JSON result at the end instead of what happens. */
  json: boolean
}

const CHATS_SHOWN = 20

interface Order {
  /** What is behind it. */
  takes?: string
  about: string
  /** It only asks about the chat: what the chat has handed over was shown before and need not be shown again. */
  asks?: true
  run: (talk: Talk, rest: string) => Promise<void> | void
}

/** What a line that starts with a slash can order. */
export const orders: Record<string, Order> = {
  role: { takes: 'ID [yes]', about: 'switch the role; yes confirms that running work stops', run: orderRole },
  model: {
    takes: '[NAME]',
    about: 'switch the model: provider/model, or default; alone it says which one plays',
    asks: true,
    run: orderModel,
  },
  execute: { takes: '[N]', about: 'approve the plan (plan N if there are several) and run it', run: executeMeant },
  plan: { about: 'show the plan again', asks: true, run: showPlans },
  answer: { takes: 'WORDS', about: 'answer the pending question in your own words', run: (talk, text) => answerPending(talk, { text }) },
  stop: { about: 'stop the turn', run: stop },
  continue: {
    about: 'continue a turn that was interrupted',
    run: async ({ context, chatId }) => void (await continueChat.run(context, { chat: chatId })),
  },
  attach: {
    takes: '[FILE]',
    about: 'show the model an image or a PDF with your next message; none lets go of it again',
    asks: true,
    run: orderAttach,
  },
  compact: {
    takes: '[FOCUS]',
    about: 'sum up the chat, so that its model has room again',
    run: async ({ context, chatId }, focus) => void (await compactChat.run(context, { chat: chatId, focus })),
  },
  undo: { takes: '[force]', about: 'undo what the last turn did to files; again for the turn before', run: orderUndo },
  diff: { takes: '[N]', about: 'show what changed in files since the chat began, or since checkpoint N', asks: true, run: orderDiff },
  restore: { takes: '[N]', about: 'list the checkpoints, or put files back as they were before checkpoint N', run: orderRestore },
  reasoning: {
    takes: '[LEVEL]',
    about: 'none, low, medium or high: how long the model thinks; alone, as the role says',
    run: orderReasoning,
  },
  cost: { about: 'what the chat has used', asks: true, run: async (talk) => talk.tell(usedText(await seen(talk))) },
  resume: { takes: '[ID]', about: 'continue another chat of this folder; alone it lists them', asks: true, run: orderResume },
  help: { about: 'this list', asks: true, run: listOrders },
  quit: { about: 'leave', run: ({ leave }) => leave() },
}

/** Whether a line only asks about the chat. */
export function onlyAsks(line: string): boolean {
  const name = /^\/(\w+)/.exec(line)?.[1] ?? ''
  return Object.hasOwn(orders, name) && orders[name]?.asks === true
}

const YES = /^(y|yes|approve)$/i
const NO = /^(n|no)$/i

/** Carries out a line if it is an order, or an answer while something waits for one; says whether it was. */
export async function obey(talk: Talk, line: string): Promise<boolean> {
  if (await confirmSwitch(talk, line)) return true
  if (/^\d+$/.test(line)) return answerByNumber(talk, Number(line))
  if (YES.test(line) || NO.test(line)) return answerByWord(talk, line)
  const [, name, rest = ''] = /^\/(\w*)(?:\s+(.*))?$/.exec(line) ?? []
  if (name === undefined) return false // words, or a path that somebody begins a sentence with
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined
  if (order === undefined) {
    const near = closest(name, Object.keys(orders))
    throw new Problem('bad_input', `unknown command /${name}; ${near === null ? '/help lists them' : `did you mean /${near}?`}`)
  }
  await order.run(talk, rest)
  return true
}

async function orderReasoning({ context, chatId }: Talk, level: string): Promise<void> {
  const reasoning = level === '' ? null : Reasoning.safeParse(level).data
  if (reasoning === undefined) throw new Problem('bad_input', `/reasoning takes ${Reasoning.options.join(', ')}`)
  await configureChat.run(context, { chat: chatId, reasoning })
}

function listOrders({ tell }: Talk): void {
  tell(columns(Object.entries(orders).map(([name, { takes = '', about }]) => [`/${name} ${takes}`.trimEnd(), about])))
}

async function orderModel(talk: Talk, name: string): Promise<void> {
  const { context, chatId } = talk
  if (name !== '') await configureChat.run(context, { chat: chatId, model: name === 'default' ? null : name })
  const { agent_role, workspace, config } = await seen(talk)
  talk.tell(`Model: ${inLine((await context.at(workspace)).modelFor(agent_role, config.model))}`)
}

async function showPlans(talk: Talk): Promise<void> {
  const { plans } = await seen(talk)
  const drafts = plans.filter(({ status }) => status === 'draft')
  const meant = drafts.length > 0 ? drafts : plans.slice(-1)
  talk.tell(meant.length === 0 ? 'There is no plan yet; ask the Planner for one.' : meant.map(printedPlan).join('\n'))
}

async function orderResume(talk: Talk, id: string): Promise<void> {
  if (id !== '') {
    if (talk.context.playing.has(talk.chatId)) throw new Problem('busy', 'a turn is at work here; stop it first with /stop')
    return talk.turnTo((await viewChat(talk.context, id, { limit: 1 })).id)
  }
  const others = await chatsHere(talk)
  talk.tell(others.length === 0 ? 'There is no other chat in this folder.' : columns(others.map((chat) => [chat.id, inLine(chat.title)])))
}

/** The other chats of the folder, newest first. */
export async function chatsHere(talk: Talk) {
  const { workspace, id } = await seen(talk)
  return (await listChats(talk.context.agent.driver)).filter((chat) => chat.workspace === workspace && chat.id !== id).slice(0, CHATS_SHOWN)
}

/** Switches the role, as the person at the terminal asked. */
async function switchRole({ context, chatId }: Talk, role: string, confirm: boolean): Promise<void> {
  await configureChat.run(context, { chat: chatId, agent_role: role, confirm })
}

/** A key is pressed by mistake, so it never gives rights, and never stops work: the next line has to say yes. */
export async function flipRole(talk: Talk): Promise<void> {
  const { agent_role } = await seen(talk)
  const roles = await rolesOf(talk)
  const { role } = roles.resolve(agent_role)
  const to = roles.need(modeOf(role) === 'plan' ? 'actor' : 'planner')
  const gained = missingPermissions(role.permissions, to.permissions)
  if (gained.length > 0) return askToSwitch(talk, to.id, `${to.name} may also ${gained.map((right) => permissionWords[right]).join(', ')}.`)
  await switchRole(talk, to.id, false).catch(async (error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'confirmation_required') throw error
    await askToSwitch(talk, to.id, `${error.message}.`)
  })
}

async function askToSwitch(talk: Talk, to: string, why: string): Promise<void> {
  // Else nobody could tell what a yes answers.
  if ((await pending(talk)) !== undefined)
    throw new Problem('needs_person', `${why} A question waits: answer it first, or type /role ${to} yes`)
  talk.switchingTo = to
  talk.tell(`${why} Type yes to switch to ${to}.`)
}

async function confirmSwitch(talk: Talk, line: string): Promise<boolean> {
  const to = talk.switchingTo
  talk.switchingTo = null
  if (to === null || !(YES.test(line) || NO.test(line))) return false
  if (YES.test(line)) await switchRole(talk, to, true)
  return true
}

/** The roles there are in the folder of the chat. */
export async function rolesOf(talk: Talk): Promise<Roles> {
  const { workspace } = await seen(talk)
  return (await talk.context.at(workspace)).agent.roles
}

function seen({ context, chatId }: Talk) {
  return viewChat(context, chatId, { limit: 1 })
}

async function orderRole(talk: Talk, rest: string): Promise<void> {
  const [role = '', confirm] = rest.split(/\s+/)
  if (role === '') throw new Problem('bad_input', `/role needs a role; there are ${(await rolesOf(talk)).ids.join(', ')}`)
  await switchRole(talk, role, confirm === 'yes')
}

async function executeMeant(talk: Talk, named: string): Promise<void> {
  const plan = planMeant((await seen(talk)).plans, named === '' ? undefined : named)
  await executePlan.run(talk.context, { chat: talk.chatId, plan: plan.id, hash: plan.hash })
}

async function stop({ context, chatId, tell }: Talk): Promise<void> {
  if (!(await stopTurn(context, chatId))) tell('Nothing is running.')
}

async function answerByNumber(talk: Talk, number: number): Promise<boolean> {
  const question = await pending(talk)
  if (question === undefined) return false
  const { options } = question.content
  const option = options[number - 1]
  // Said as a message it would withdraw the question, and with it the turn that waits.
  if (option === undefined) throw new Problem('bad_input', `the question has no answer ${number}; there are 1 to ${options.length}`)
  await answerPending(talk, { value: option.value })
  return true
}

/** A plain yes or no is an answer to what waits for one; taken for a message it would withdraw the question. */
async function answerByWord(talk: Talk, word: string): Promise<boolean> {
  const question = await pending(talk)
  if (question === undefined) return false
  const values = question.content.options.map(({ value }) => value)
  const [agree, refuse] = question.approval === null ? ['yes', 'no'] : [APPROVE, REFUSE]
  const value = YES.test(word) ? agree : refuse
  if (!values.includes(value)) throw new Problem('bad_input', `the question takes no ${word}; answer with a number, 1 to ${values.length}`)
  await answerPending(talk, { value })
  return true
}

async function answerPending(talk: Talk, given: { value?: string; text?: string }): Promise<void> {
  const question = await pending(talk)
  if (question === undefined) throw new Problem('not_found', 'no question waits for an answer')
  await answerInChat.run(talk.context, { chat: talk.chatId, question: question.id, ...given })
}

async function pending(talk: Talk) {
  return pendingOf((await seen(talk)).questions)[0]
}

import { compactChat } from '../../chat/compact.ts'
import { configureChat } from '../../chat/configure.ts'
import { stopTurn } from '../../chat/stop.ts'
import { answerInChat, continueChat } from '../../chat/continue.ts'
import { executePlan } from '../../chat/execute-plan.ts'
import type { ChatContext } from '../../chat/context.ts'
import { restoreChat, showChanges, showCheckpoints, undoChat } from '../../chat/undo.ts'
import { pendingOf, planMeant, viewChat } from '../../chat/view.ts'
import { closest } from '../../domain/text/closest.ts'
import { permissionWords } from '../../domain/permission-words.ts'
import { missingPermissions } from '../../domain/permission.ts'
import { Problem } from '../../domain/problem.ts'
import { Reasoning } from '../../domain/reasoning.ts'
import { modeOf } from '../../domain/role.ts'
import type { Roles } from '../../roles/roles.ts'
import { APPROVE, REFUSE } from '../../tools/approval-question.ts'
import { print, say, shown } from '../terminal.ts'

/** A chat being talked to in a terminal. */
export interface Talk {
  context: ChatContext
  chatId: string
  leave: () => void
  /** Whether something happened since the chat was shown last. */
  toShow: boolean
  /** The role that the next line may confirm; any line but a yes lets it go. */
  switchingTo: string | null
  /** One JSON result at the end instead of what happens. */
  json: boolean
}

interface Order {
  about: string
  run: (talk: Talk, rest: string) => Promise<void> | void
}

/** What a line that starts with a slash can order. */
const orders: Record<string, Order> = {
  role: { about: '/role ID [yes]   switch the role; yes confirms that running work stops', run: orderRole },
  execute: { about: '/execute [N]     approve the plan (plan N if there are several) and run it', run: executeMeant },
  answer: { about: '/answer WORDS    answer the pending question in your own words', run: (talk, text) => answerPending(talk, { text }) },
  stop: { about: '/stop            stop the turn', run: stop },
  continue: {
    about: '/continue        continue a turn that was interrupted',
    run: async ({ context, chatId }) => void (await continueChat.run(context, { chat: chatId })),
  },
  compact: {
    about: '/compact [FOCUS] sum up the chat, so that its model has room again',
    run: async ({ context, chatId }, focus) => void (await compactChat.run(context, { chat: chatId, focus })),
  },
  undo: { about: '/undo [force]    undo what the last turn did to files; again for the turn before', run: undo },
  diff: { about: '/diff [N]        show what changed in files since the chat began, or since checkpoint N', run: showDiff },
  restore: { about: '/restore [N]     list the checkpoints, or put files back as they were before checkpoint N', run: restore },
  reasoning: {
    about: '/reasoning LEVEL none, low, medium or high: how long the model thinks; alone, as the role says',
    run: orderReasoning,
  },
  help: { about: '/help            this list', run: listOrders },
  quit: { about: '/quit            leave', run: ({ leave }) => leave() },
}

/** Whether a line only asks about the chat: what it has handed over was shown before and need not be shown again. */
export function isHelp(line: string): boolean {
  return line === '/help'
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

function listOrders(): void {
  for (const { about } of Object.values(orders)) print(about)
}

/** Switches the role, as the person at the terminal asked. */
async function switchRole({ context, chatId }: Talk, role: string, confirm: boolean): Promise<void> {
  await configureChat.run(context, { chat: chatId, agent_role: role, confirm })
}

/** A key is pressed by mistake, so it never gives rights, and never stops work: the next line has to say yes. */
export async function flipRole(talk: Talk): Promise<void> {
  const { context, chatId } = talk
  const { agent_role } = await viewChat(context, chatId, { limit: 1 })
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
  say(`${why} Type yes to switch to ${to}.`)
}

async function confirmSwitch(talk: Talk, line: string): Promise<boolean> {
  const to = talk.switchingTo
  talk.switchingTo = null
  if (to === null || !(YES.test(line) || NO.test(line))) return false
  if (YES.test(line)) await switchRole(talk, to, true)
  return true
}

/** The roles there are in the folder of the chat. */
async function rolesOf({ context, chatId }: Talk): Promise<Roles> {
  const { workspace } = await viewChat(context, chatId, { limit: 1 })
  return (await context.at(workspace)).agent.roles
}

async function orderRole(talk: Talk, rest: string): Promise<void> {
  const [role = '', confirm] = rest.split(/\s+/)
  if (role === '') throw new Problem('bad_input', `/role needs a role; there are ${(await rolesOf(talk)).ids.join(', ')}`)
  await switchRole(talk, role, confirm === 'yes')
}

async function executeMeant({ context, chatId }: Talk, named: string): Promise<void> {
  const plan = planMeant((await viewChat(context, chatId, { limit: 1 })).plans, named === '' ? undefined : named)
  await executePlan.run(context, { chat: chatId, plan: plan.id, hash: plan.hash })
}

async function undo({ context, chatId }: Talk, rest: string): Promise<void> {
  const input = { chat: chatId, force: rest === 'force' }
  print(shown(undoChat.tell(await undoChat.run(context, input))))
}

async function showDiff({ context, chatId }: Talk, rest: string): Promise<void> {
  const since = rest === '' ? undefined : numberIn(rest)
  print(shown(showChanges.tell(await showChanges.run(context, { chat: chatId, since }))))
}

async function restore({ context, chatId }: Talk, rest: string): Promise<void> {
  if (rest === '') return print(shown(showCheckpoints.tell(await showCheckpoints.run(context, { chat: chatId }))))
  const [number = '', word] = rest.split(/\s+/)
  print(shown(restoreChat.tell(await restoreChat.run(context, { chat: chatId, checkpoint: numberIn(number), force: word === 'force' }))))
}

function numberIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Problem('bad_input', `${text} is not the number of a checkpoint; /restore lists them`)
}

async function stop({ context, chatId }: Talk): Promise<void> {
  if (!(await stopTurn(context, chatId))) print('Nothing is running.')
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

async function pending({ context, chatId }: Talk) {
  return pendingOf((await viewChat(context, chatId, { limit: 1 })).questions)[0]
}

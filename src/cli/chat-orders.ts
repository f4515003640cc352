import { configureChat, stopChat } from '../chat/configure.ts'
import { answerInChat, continueChat } from '../chat/continue.ts'
import { executePlan } from '../chat/execute-plan.ts'
import type { Stage } from '../chat/stage.ts'
import { viewChat } from '../chat/view.ts'
import { closest } from '../domain/closest.ts'
import { Problem } from '../domain/problem.ts'
import type { Roles } from '../roles/roles.ts'
import { print } from './terminal.ts'

/** A chat being talked to in a terminal. */
export interface Talk {
  stage: Stage
  chatId: string
  leave: () => void
  /** Whether something happened since the chat was shown last. */
  toShow: boolean
}

interface Order {
  about: string
  run: (talk: Talk, rest: string) => Promise<void> | void
}

/** What a line that starts with a slash can order. */
const orders: Record<string, Order> = {
  role: { about: '/role ID [yes]   switch the role; yes confirms that running work stops', run: orderRole },
  execute: { about: '/execute         approve the newest plan and carry it out', run: executeNewest },
  answer: { about: '/answer WORDS    answer the pending question in your own words', run: (talk, text) => answerPending(talk, { text }) },
  stop: { about: '/stop            stop the turn', run: stop },
  continue: {
    about: '/continue        carry on a turn that was interrupted',
    run: async ({ stage, chatId }) => void (await continueChat(stage, chatId)),
  },
  help: { about: '/help            this list', run: listOrders },
  quit: { about: '/quit            leave', run: ({ leave }) => leave() },
}

/** Whether a line only asks about the chat: what it has handed over was shown before and need not be shown again. */
export function isHelp(line: string): boolean {
  return line === '/help'
}

/** Carries out a line if it is an order, or the number of an option while a question waits; says whether it was. */
export async function obey(talk: Talk, line: string): Promise<boolean> {
  if (/^\d+$/.test(line)) return answerByNumber(talk, Number(line))
  const [, name, rest = ''] = /^\/(\w*)(?:\s+(.*))?$/.exec(line) ?? []
  if (name === undefined) return false // words, or a path that somebody begins a sentence with
  const order = Object.hasOwn(orders, name) ? orders[name] : undefined
  if (order === undefined) {
    const near = closest(name, Object.keys(orders))
    throw new Problem('bad_input', `there is no order /${name}; ${near === null ? '/help lists them' : `did you mean /${near}?`}`)
  }
  await order.run(talk, rest)
  return true
}

function listOrders(): void {
  for (const { about } of Object.values(orders)) print(about)
}

/** Switches the role, as the person at the terminal asked. */
export async function switchRole({ stage, chatId }: Talk, role: string, confirm: boolean): Promise<void> {
  await configureChat(stage, chatId, { agent_role: role, confirm }, 'user')
}

/** The roles there are in the folder of the chat. */
export async function rolesOf({ stage, chatId }: Talk): Promise<Roles> {
  const { workspace } = await viewChat(stage, chatId, { limit: 1 })
  return (await stage.at(workspace)).agent.roles
}

async function orderRole(talk: Talk, rest: string): Promise<void> {
  const [role = '', confirm] = rest.split(/\s+/)
  if (role === '') throw new Problem('bad_input', `/role needs a role; there are ${(await rolesOf(talk)).ids.join(', ')}`)
  await switchRole(talk, role, confirm === 'yes')
}

async function executeNewest({ stage, chatId }: Talk): Promise<void> {
  const { plans } = await viewChat(stage, chatId, { limit: 1 })
  const plan = plans.at(-1)
  if (plan === undefined) throw new Problem('not_found', 'there is no plan yet; ask the Planner for one')
  await executePlan(stage, chatId, plan.id, plan.hash, 'user')
}

async function stop({ stage, chatId }: Talk): Promise<void> {
  if (!(await stopChat(stage, chatId))) print('Nothing is at work.')
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

async function answerPending(talk: Talk, given: { value?: string; text?: string }): Promise<void> {
  const question = await pending(talk)
  if (question === undefined) throw new Problem('not_found', 'no question waits for an answer')
  await answerInChat(talk.stage, talk.chatId, question.id, given, 'user')
}

async function pending({ stage, chatId }: Talk) {
  const { questions } = await viewChat(stage, chatId, { limit: 1 })
  return questions.findLast(({ status }) => status === 'pending')
}

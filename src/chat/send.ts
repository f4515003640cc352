import type { Chat } from '../domain/chat.ts'
import type { Run } from '../domain/run.ts'
import type { Stored } from '../store/collection.ts'
import { DEFAULT_ROLE } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans } from '../store/tables.ts'
import { UNTITLED } from './create.ts'
import type { Stage } from './stage.ts'
import { startTurn } from './start-turn.ts'

const TITLE_CHARS = 60

/** Says something in a chat. The turn starts with the role that is stored at this moment, and no words in the text change it. */
export async function sendMessage(stage: Stage, chatId: string, text: string): Promise<Run> {
  const { driver } = stage.agent
  const was = await chats.get(driver, chatId)
  const agent_role = was.item.config.agent_role ?? DEFAULT_ROLE
  return startTurn(stage, was.item, {
    agent_role,
    model: stage.modelFor(agent_role, was.item.config.model),
    prompt: text,
    plan_id: await planInForce(driver, chatId),
    also: (tx) => settle(tx, was, text, stage.agent.now()),
  })
}

/** The first message gives a chat its title; any message saves the role of a chat older than roles. */
async function settle(tx: Driver, was: Stored<Chat>, text: string, now: Date): Promise<void> {
  const { title, config } = was.item
  await chats.replace(tx, was, {
    ...was.item,
    title: title === UNTITLED ? titleFrom(text) : title,
    config: { ...config, agent_role: config.agent_role ?? DEFAULT_ROLE },
    updated_at: now.toISOString(),
  })
}

function titleFrom(text: string): string {
  const line = text.trim().split('\n')[0] ?? ''
  return line.length > TITLE_CHARS ? `${line.slice(0, TITLE_CHARS - 1)}…` : line || UNTITLED
}

/** A plan that was approved and is not finished goes on being the order, also when the user says something in between. */
async function planInForce(driver: Driver, chatId: string): Promise<string | null> {
  const [approved] = await plans.list(driver, { where: { thread_id: chatId, status: 'approved' } })
  return approved?.item.id ?? null
}

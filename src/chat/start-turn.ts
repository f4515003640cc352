import * as z from 'zod'
import type { AgentContext } from '../agent/agent.ts'
import { runInBackground } from '../agent/run/background.ts'
import { playRun } from '../agent/loop.ts'
import type { FolderContext } from '../agent/folder-context.ts'
import { startRun, type RunRequest } from '../agent/run/start.ts'
import type { Chat } from '../domain/chat.ts'
import { Problem } from '../domain/problem.ts'
import { canChange } from '../domain/role.ts'
import { Run } from '../domain/run.ts'
import { ceiling } from '../roles/delegation.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans } from '../store/tables.ts'
import { hasQueued } from './queue.ts'
import { chatAgent, type ChatContext } from './context.ts'

/** What a turn of a chat is started with; the rest is the chat's own. */
export type Turn = Pick<RunRequest, 'agent_role' | 'model' | 'prompt' | 'prompt_id' | 'attachments' | 'compaction' | 'also'> & {
  plan_id: string | null
}

/** The run that a turn is played in. */
export const StartedTurn = Run.pick({ agent_role: true }).extend({ run_id: z.string() })

export function tellStarted({ agent_role, run_id }: z.infer<typeof StartedTurn>): string {
  return `${agent_role} started as ${run_id}`
}

/** Starts a run on the thread of a chat, in its folder and under its limits, which count everything the chat has used so far. */
export async function startTurn(context: ChatContext, chat: Chat, turn: Turn): Promise<Run> {
  const agent = await chatAgent(context, chat)
  const run = await startRun(agent, {
    ...turn,
    workspace: chat.workspace,
    thread_id: chat.id,
    reasoning: chat.config.reasoning,
    limits: chat.config.limits,
    limits_over: 'thread',
    also: async (tx, started) => {
      await turn.also?.(tx, started)
      await refuseSwitched(tx, chat.id, turn.agent_role)
    },
  })
  playChatRun(context, agent, run)
  return run.item
}

/** A person may have switched the role since the turn was made ready: nothing starts in one that they have left. */
async function refuseSwitched(tx: Driver, chatId: string, agentRole: string): Promise<void> {
  const now = (await chats.get(tx, chatId)).item.config.agent_role
  if (now !== agentRole) throw new Problem('conflict', `the role was switched from ${agentRole} to ${now} at this moment; try again`)
}

/** Who takes the next turn of a chat, as it is stored at this moment. A plan that was approved and is not finished goes on being the order. */
export async function nextTurn(context: ChatContext, chat: Chat): Promise<Pick<Turn, 'agent_role' | 'model' | 'plan_id'>> {
  const { agent_role } = chat.config
  const [approved] = await plans.items(context.agent.driver, { where: { thread_id: chat.id, status: 'approved' } })
  const place = await context.at(chat.workspace)
  const plan_id = carriesOut(place, agent_role) ? (approved?.id ?? null) : null
  return { agent_role, model: place.modelFor(agent_role, chat.config.model), plan_id }
}

/** Whether a plan can be the order of a role: one that changes nothing, be it through others, would end it by answering a question about it. */
export function carriesOut({ agent: { roles } }: FolderContext, agentRole: string): boolean {
  return canChange(ceiling(roles.resolve(agentRole).role, roles))
}

/** Plays a run of a chat in the background. How it ended is in the run's record, so nobody has to wait for it. */
export function playChatRun(context: ChatContext, agent: AgentContext, run: Stored<Run>): void {
  const chatId = run.item.thread_id
  runInBackground(context.playing, chatId, 'chat', async (signal) => goOn(context, chatId, await playRun(agent, run, signal)))
}

/** Marks a chat as just changed, so that it comes first in the list; what was said too late for the run that ended starts the next one. */
async function goOn(context: ChatContext, id: string, ended: Run): Promise<void> {
  const { driver, now } = context.agent
  const chat = await driver.transaction(async (tx) => {
    const was = await chats.find(tx, id)
    return was && (await chats.replace(tx, was, { ...was.item, updated_at: now().toISOString() })).item
  })
  if (chat === null) return
  if (ended.status === 'completed' && (await hasQueued(driver, id)))
    await startTurn(context, chat, { ...(await nextTurn(context, chat)), prompt: null })
}

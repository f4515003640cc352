import { stopRun } from '../agent/stop.ts'
import type { Chat, ChatConfig } from '../domain/chat.ts'
import { readsOnly } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import { modeOf } from '../domain/role.ts'
import type { LimitsChange, Run } from '../domain/run.ts'
import { DEFAULT_ROLE, type Roles } from '../roles/roles.ts'
import { chats } from '../store/tables.ts'
import { needTool } from '../tools/all.ts'
import { recordRoleChange } from './role-change.ts'
import type { Stage } from './stage.ts'
import { openRunOf } from './view.ts'

export interface ChatChange {
  agent_role?: string | undefined
  confirm: boolean
  reason?: string | undefined
  title?: string | undefined
  model?: string | null | undefined
  approvals?: ChatConfig['approvals'] | undefined
  limits?: LimitsChange | undefined
}

/** Changes what a person may change about a chat. Only a person's request comes here; nothing a model says does. */
export async function configureChat(stage: Stage, chatId: string, change: ChatChange, by: string): Promise<Chat> {
  const { driver } = stage.agent
  const { item: chat } = await chats.get(driver, chatId)
  const { roles } = (await stage.at(chat.workspace)).agent
  for (const name of Object.keys(change.approvals ?? {})) needTool(name, 'approvals')
  const to = change.agent_role === undefined ? null : roles.need(change.agent_role).id
  const switching = to !== null && to !== (chat.config.agent_role ?? DEFAULT_ROLE)
  if (switching) await leaveRunningRole(stage, roles, chat.id, to, change.confirm)
  return driver.transaction(async (tx) => {
    const was = await chats.get(tx, chatId)
    const now = stage.agent.now()
    const switched = switching ? await recordRoleChange(tx, was, { to, by, reason: change.reason ?? '' }, now) : was
    return (await chats.replace(tx, switched, { ...changed(switched.item, change), updated_at: now.toISOString() })).item
  })
}

function changed(chat: Chat, { title, model, approvals, limits }: ChatChange): Chat {
  const config: ChatConfig = {
    ...chat.config,
    agent_role: chat.config.agent_role ?? DEFAULT_ROLE,
    ...(model !== undefined && { model }),
    ...(approvals !== undefined && { approvals }),
    limits: { ...chat.config.limits, ...limits },
  }
  return { ...chat, title: title ?? chat.title, config }
}

/**
 * Leaving a role that acts for one that only reads ends what is under way, and only once the person has confirmed it.
 * Any other switch lets the turn finish with the role and tools it started with.
 */
async function leaveRunningRole(stage: Stage, roles: Roles, chatId: string, to: string, confirmed: boolean): Promise<void> {
  const run = await openRunOf(stage.agent.driver, chatId)
  if (run === null) return
  // By its ceiling: a role that only reads may have others act for it.
  if (readsOnly(run.ceiling) || modeOf(roles.need(to)) !== 'plan') return
  if (!confirmed) throw confirmationNeeded(run, roles.resolve(run.agent_role).role.name)
  await stopChat(stage, chatId)
}

function confirmationNeeded(run: Run, name: string): Problem {
  const what = run.status === 'waiting' ? 'is waiting for your answer' : 'is at work'
  const message = `The ${name} ${what}. Switching stops the turn, its processes and its open approvals; confirm to go on`
  return new Problem('confirmation_required', message, { details: { run_id: run.id, status: run.status } })
}

/** Stops what a chat is doing, in whichever process, and comes back when nothing of it runs any more. */
export async function stopChat(stage: Stage, chatId: string): Promise<boolean> {
  const { driver, now } = stage.agent
  const run = await openRunOf(driver, chatId)
  if (run === null) return false
  const stopped = stopRun(driver, run.id, now())
  stage.playing.get(chatId)?.stop.abort() // what is played here need not find out from the store
  await stopped
  return true
}

import * as z from 'zod'
import { areWithin } from '../domain/bounds.ts'
import { Chat, ChatChange, ChatId, type ChatConfig } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { missingPermissions } from '../domain/permission.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import { rootAuthority } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import { chats } from '../store/tables.ts'
import { needTool } from '../tools/all.ts'
import { recordRoleChange } from './role-change.ts'
import { PERSON, type ChatContext } from './context.ts'
import { stopTurn } from './stop.ts'
import { openRunOf } from './view.ts'

/** Only a person's request comes here; nothing a model says does. */
export const configureChat = defineOperation({
  name: 'chat.configure',
  summary: 'Change the role, model, reasoning, approvals, limits or title of a chat, pin it or put it away',
  advice: 'Switching to a role with fewer rights stops the running turn, and needs confirm.',
  by: ['person'],
  effect: 'change',
  command: 'chat configure <chat>',
  absent: { dry_run: 'a switch of the role may stop a turn, which cannot be taken back' },
  input: z.strictObject({ chat: ChatId, ...ChatChange.shape }),
  output: Chat,
  example: { chat: 'chat_01', agent_role: 'planner' },
  tell: ({ id, config }) => `${id} is ${config.agent_role}`,
  run: async (context: ChatContext, { chat: chatId, ...change }) => {
    const { driver } = context.agent
    const { item: chat } = await chats.get(driver, chatId)
    const place = await context.at(chat.workspace)
    const { roles } = place.agent
    for (const name of Object.keys(change.approvals ?? {})) needTool(name, 'approvals')
    if (typeof change.model === 'string') await place.needModel(change.model)
    const to = change.agent_role === undefined ? null : roles.need(change.agent_role).id
    const switching = to !== null && to !== chat.config.agent_role
    if (switching) await leaveRunningRole(context, roles, chat.id, to, change.confirm === true)
    return driver.transaction(async (tx) => {
      const was = await chats.get(tx, chatId)
      // Something may have begun since we looked; nobody confirmed that it stops.
      const begun = switching ? await runToLeave(tx, roles, chatId, to) : null
      if (begun !== null) throw confirmationNeeded(begun, roles)
      const now = context.agent.now()
      const switched = switching ? await recordRoleChange(tx, was, { to, by: PERSON, reason: change.reason ?? '' }, now) : was
      return (
        await chats.replace(tx, switched, {
          ...changed(switched.item, change, now),
          ...(onlyFiles(change) ? {} : { updated_at: now.toISOString() }),
        })
      ).item
    })
  },
})

/** Whether a change only says where a chat is kept: it is not news of it. */
function onlyFiles(change: ChatChange): boolean {
  return Object.keys(change).every((key) => key === 'pinned' || key === 'archived')
}

function changed(chat: Chat, { title, model, reasoning, approvals, limits, pinned, archived }: ChatChange, now: Date): Chat {
  const config: ChatConfig = {
    ...chat.config,
    ...(model !== undefined && { model }),
    ...(reasoning !== undefined && { reasoning }),
    ...(approvals !== undefined && { approvals }),
    limits: { ...chat.config.limits, ...limits },
  }
  const archived_at = archived === undefined ? chat.archived_at : archived ? now.toISOString() : null
  return { ...chat, title: title ?? chat.title, pinned: pinned ?? chat.pinned, archived_at, config }
}

/**
 * A narrower role binds at once: what is under way ends, and only once the person has confirmed it.
 * A switch that takes no right away lets the turn finish with the role and tools it started with.
 */
async function leaveRunningRole(context: ChatContext, roles: Roles, chatId: string, to: string, confirmed: boolean): Promise<void> {
  const run = await runToLeave(context.agent.driver, roles, chatId, to)
  if (run === null) return
  if (!confirmed) throw confirmationNeeded(run, roles)
  await stopTurn(context, chatId)
}

/** What a switch would end: a run that has a right, its own or through others, that the role to come lacks. */
async function runToLeave(driver: Driver, roles: Roles, chatId: string, to: string): Promise<Run | null> {
  const run = await openRunOf(driver, chatId)
  if (run === null) return null
  const { permissions, ceiling, bounds } = rootAuthority(roles.need(to), roles)
  const lost = [...missingPermissions(permissions, run.permissions), ...missingPermissions(ceiling, run.ceiling)]
  return lost.length === 0 && areWithin(run.bounds, bounds) ? null : run
}

function confirmationNeeded(run: Run, roles: Roles): Problem {
  const what = run.status === 'waiting' ? 'is waiting for your answer' : 'is at work'
  const { name } = roles.resolve(run.agent_role).role
  const message = `The ${name} ${what}. Switching stops the turn, its processes and its open approvals; confirm to continue`
  return new Problem('confirmation_required', message, { details: { run_id: run.id, status: run.status } })
}

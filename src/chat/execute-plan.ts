import { supersedePlans } from '../agent/proposals.ts'
import { nextState } from '../domain/flow.ts'
import { planFlow, type Plan } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries, plans } from '../store/tables.ts'
import { newEntry } from '../store/thread.ts'
import { recordRoleChange } from './role-change.ts'
import type { ChatContext } from './context.ts'
import { startTurn } from './start-turn.ts'

/** The role that carries out a plan. */
const ACTOR = 'actor'

/** Approves exactly the version a person read, switches the chat to Actor and starts. Nothing else starts a plan. */
export async function executePlan(context: ChatContext, chatId: string, planId: string, hash: string, by: string): Promise<Run> {
  const { driver, now } = context.agent
  const { item: chat } = await chats.get(driver, chatId)
  const { modelFor } = await context.at(chat.workspace)
  return startTurn(context, chat, {
    agent_role: ACTOR,
    model: modelFor(ACTOR, chat.config.model),
    prompt: null,
    plan_id: planId,
    also: async (tx, started) => {
      const plan = await approve(tx, chatId, planId, hash, by, now())
      await switchToActor(tx, plan, by, now())
      await sayStart(tx, started, plan, now())
    },
  })
}

/** Why a plan that is no draft any more is not approved, and what to do instead. */
const whyNot = {
  approved: 'is approved already; continue the turn that carries it out',
  executed: 'was carried out already; ask the Planner for a new one',
  superseded: 'was replaced by a newer one; read and execute that',
}

/** A plan that changed since it was read is not the plan that was approved. */
async function approve(tx: Driver, chatId: string, planId: string, hash: string, by: string, now: Date): Promise<Plan> {
  const was = await plans.get(tx, planId)
  const { item } = was
  if (item.thread_id !== chatId) throw new Problem('not_found', `the chat ${chatId} has no plan ${planId}`)
  if (item.hash !== hash) {
    throw new Problem('conflict', `version ${item.version} of the plan is not what you read; look at it again and execute that`, {
      details: { plan_id: planId, hash: item.hash },
    })
  }
  if (item.status !== 'draft') {
    const message = `version ${item.version} of the plan ${whyNot[item.status]}`
    throw new Problem('move_refused', message, { details: { state: item.status } })
  }
  const status = nextState(planFlow, item.status, 'approve', 'user')
  await supersedePlans(tx, chatId, [planId])
  return (await plans.replace(tx, was, { ...item, status, approved_at: now.toISOString(), approved_by: by })).item
}

async function switchToActor(tx: Driver, plan: Plan, by: string, now: Date): Promise<void> {
  const chat = await chats.get(tx, plan.thread_id)
  if (chat.item.config.agent_role === ACTOR) return
  await recordRoleChange(tx, chat, { to: ACTOR, by, reason: `version ${plan.version} of the plan was approved` }, now)
}

async function sayStart(tx: Driver, run: Run, plan: Plan, now: Date): Promise<void> {
  await entries.add(tx, {
    ...(await newEntry(tx, run.thread_id, run.id, now)),
    from: 'user',
    text: `Execute Plan: version ${plan.version} is approved. Carry it out.`,
  })
}

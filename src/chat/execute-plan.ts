import * as z from 'zod'
import { supersedePlans } from '../agent/person/proposals.ts'
import { ChatId } from '../domain/chat.ts'
import { nextState } from '../domain/flow.ts'
import { defineOperation } from '../domain/operation.ts'
import { planFlow, type Plan } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries, plans } from '../store/tables.ts'
import { newEntry } from '../store/thread.ts'
import { recordRoleChange } from './role-change.ts'
import { PERSON, playedInFront, type ChatContext } from './context.ts'
import { StartedTurn, startTurn, tellStarted } from './start-turn.ts'

/** The role that carries out a plan. */
const ACTOR = 'actor'

/** Nothing else starts a plan. */
export const executePlan = defineOperation({
  name: 'chat.execute_plan',
  summary: 'Approve exactly the plan you read, switch to Actor and start',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({
    chat: ChatId,
    plan: z.string().describe('the id of the plan'),
    hash: z.string().describe('that of the version that was read'),
  }),
  output: StartedTurn,
  example: { chat: 'chat_01', plan: 'plan_01', hash: 'the hash of the plan' },
  tell: tellStarted,
  run: async (context: ChatContext, { chat: chatId, plan: planId, hash }) => {
    const { driver, now } = context.agent
    const { item: chat } = await chats.get(driver, chatId)
    const { modelFor } = await context.at(chat.workspace)
    const run = await startTurn(context, chat, {
      agent_role: ACTOR,
      model: modelFor(ACTOR, chat.config.model),
      prompt: null,
      plan_id: planId,
      also: async (tx, started) => {
        const plan = await approve(tx, chatId, planId, hash, now())
        await switchToActor(tx, plan, now())
        await sayStart(tx, started, plan, now())
      },
    })
    return { run_id: run.id, agent_role: run.agent_role }
  },
})

/** Why a plan that is no draft any more is not approved, and what to do instead. */
const whyNot = {
  approved: 'is approved already; continue the turn that carries it out',
  executed: 'was carried out already; ask the Planner for a new one',
  superseded: 'was replaced by a newer one; read and execute that',
}

/** A plan that changed since it was read is not the plan that was approved. */
async function approve(tx: Driver, chatId: string, planId: string, hash: string, now: Date): Promise<Plan> {
  const was = await plans.get(tx, planId)
  const { item } = was
  if (item.thread_id !== chatId) throw new Problem('not_found', `the chat ${chatId} has no plan ${planId}`)
  if (item.hash !== hash) {
    throw new Problem('conflict', `version ${item.version} of the plan is not the one you read; read it again, then execute it`, {
      details: { plan_id: planId, hash: item.hash },
    })
  }
  if (item.status !== 'draft') {
    const message = `version ${item.version} of the plan ${whyNot[item.status]}`
    throw new Problem('move_refused', message, { details: { state: item.status } })
  }
  const status = nextState(planFlow, item.status, 'approve', 'user')
  await supersedePlans(tx, chatId, [planId])
  return (await plans.replace(tx, was, { ...item, status, approved_at: now.toISOString(), approved_by: PERSON })).item
}

async function switchToActor(tx: Driver, plan: Plan, now: Date): Promise<void> {
  const chat = await chats.get(tx, plan.thread_id)
  if (chat.item.config.agent_role === ACTOR) return
  await recordRoleChange(tx, chat, { to: ACTOR, by: PERSON, reason: `version ${plan.version} of the plan was approved` }, now)
}

async function sayStart(tx: Driver, run: Run, plan: Plan, now: Date): Promise<void> {
  await entries.add(tx, {
    ...(await newEntry(tx, run.thread_id, run.id, now)),
    from: 'user',
    text: `Execute Plan: version ${plan.version} is approved. Carry it out.`,
  })
}

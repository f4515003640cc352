import * as z from 'zod'
import { addPlan, planHash } from '../agent/person/proposals.ts'
import { ChatId } from '../domain/chat.ts'
import { newId } from '../domain/id.ts'
import { defineOperation } from '../domain/operation.ts'
import { Plan, PlanContent } from '../domain/plan.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import { entries, plans } from '../store/tables.ts'
import { newEntry } from '../store/thread.ts'
import { PERSON, type ChatContext } from './context.ts'

/** It is a draft whatever the one before it was: an edit after approval voids the approval. */
export const editPlan = defineOperation({
  name: 'chat.edit_plan',
  summary: 'Replace a plan of a chat by an edited version',
  by: ['person'],
  effect: 'change',
  command: 'chat edit-plan <chat> <plan>',
  input: z.strictObject({ chat: ChatId, plan: z.string().describe('the id of the plan'), ...PlanContent.shape }),
  output: Plan,
  example: { chat: 'chat_01', plan: 'plan_01', goal: 'Say goodbye', steps: [{ step_number: 1, action: 'Create bye.txt' }] },
  tell: ({ version, status }) => `Version ${version} is ${status}`,
  run: async ({ agent }: ChatContext, { chat: chatId, plan: planId, ...content }) => {
    const now = agent.now()
    return agent.driver.transaction(async (tx) => {
      const { item } = await plans.get(tx, planId)
      if (item.thread_id !== chatId) throw new Problem('not_found', `the chat ${chatId} has no plan ${planId}`)
      if (item.status === 'superseded' || item.status === 'executed') {
        throw new Problem('conflict', `version ${item.version} is ${item.status}; edit the newest version instead`)
      }
      // Only what was edited is replaced: a plan of the same reply beside it can still be chosen.
      const others = await plans.items(tx, { where: { thread_id: chatId, status: 'draft' } })
      const edited: Plan = {
        ...item,
        id: newId('plan', now),
        previous_id: planId,
        status: 'draft',
        hash: planHash(content),
        content,
        created_at: now.toISOString(),
        created_by: PERSON,
        approved_at: null,
        approved_by: null,
      }
      const besides = others.map(({ id }) => id).filter((id) => id !== planId)
      const plan = await addPlan(tx, edited, besides)
      await tellEdit(tx, plan, now)
      return plan
    })
  },
})

/** The Planner must know what it is asked to go on from; without this it would revise its own old version. */
async function tellEdit(tx: Driver, { id, thread_id, version, content, created_by }: Plan, now: Date): Promise<void> {
  await entries.add(tx, {
    ...(await newEntry(tx, thread_id, null, now)),
    from: 'note',
    type: 'plan',
    text: `${created_by} edited the plan. Version ${version} now reads:\n${JSON.stringify(content)}`,
    details: { plan_id: id },
  })
}

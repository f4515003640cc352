import { isLeased } from '../agent/run/lease.ts'
import { questionNeed, type Need } from '../domain/need.ts'
import type { Plan } from '../domain/plan.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans, questions, runs } from '../store/tables.ts'
import { failedRuns } from './view.ts'

type Found = Omit<Need, 'detail' | 'link'> & { thread: string }

/** Every question, plan, interrupted and failed turn of the chats that waits for a person. */
export async function chatNeeds(driver: Driver): Promise<Need[]> {
  const all = await chats.items(driver)
  const titles = new Map(all.map(({ id, title }) => [id, title]))
  const asked = await questions.items(driver, { where: { status: 'pending' } })
  const drafts = await plans.items(driver, { where: { status: 'draft' } })
  const waiting = await runs.items(driver, { where: { status: 'waiting' } })
  // An agent that was delegated to asks on a thread of its own; the chat is where a person answers.
  const chatOf = (id: string) => waiting.find(({ question_id, thread_id }) => question_id === id && titles.has(thread_id))?.thread_id
  const found: Found[] = [
    ...asked.map((question) => ({ ...questionNeed(question), thread: chatOf(question.id) ?? question.thread_id })),
    ...drafts.map(planNeed),
    ...(await interruptedRuns(driver)).map(runNeed),
    ...(await failedRuns(driver, all)).map(failureNeed),
  ]
  return found.flatMap(({ thread, ...need }) => {
    const detail = titles.get(thread)
    return detail === undefined ? [] : [{ ...need, detail, link: `/chat/${thread}` }]
  })
}

function planNeed({ id, thread_id, content, created_at }: Plan): Found {
  return { thread: thread_id, id, kind: 'plan', title: content.goal, severity: 'minor', at: created_at }
}

function runNeed({ id, thread_id, started_at }: Run): Found {
  return { thread: thread_id, id, kind: 'run', title: 'A turn was interrupted', severity: 'minor', at: started_at }
}

function failureNeed(run: Run): Found {
  return { ...runNeed(run), title: 'A turn failed', severity: 'major', at: run.ended_at ?? run.started_at }
}

async function interruptedRuns(driver: Driver): Promise<Run[]> {
  const running = await runs.items(driver, { where: { status: 'running' } })
  const held = await Promise.all(running.map((run) => isLeased(driver, run)))
  return running.filter((_, at) => held[at] === false)
}

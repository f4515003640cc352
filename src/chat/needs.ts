import { isHeld } from '../agent/hold.ts'
import type { Need } from '../domain/need.ts'
import type { Plan } from '../domain/plan.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans, questions, runs } from '../store/tables.ts'

type Found = Omit<Need, 'detail' | 'link'> & { thread: string }

/** Every question, plan and interrupted turn of the chats that waits for a person. */
export async function chatNeeds(driver: Driver): Promise<Need[]> {
  const titles = new Map((await chats.list(driver)).map(({ item }) => [item.id, item.title]))
  const asked = await questions.list(driver, { where: { status: 'pending' } })
  const drafts = await plans.list(driver, { where: { status: 'draft' } })
  const waiting = await runs.list(driver, { where: { status: 'waiting' } })
  // An agent that was delegated to asks on a thread of its own; the chat is where a person answers.
  const chatOf = (id: string) => waiting.find(({ item }) => item.question_id === id && titles.has(item.thread_id))?.item.thread_id
  const found: Found[] = [
    ...asked.map(({ item }) => ({ ...questionNeed(item), thread: chatOf(item.id) ?? item.thread_id })),
    ...drafts.map(({ item }) => planNeed(item)),
    ...(await interruptedRuns(driver)).map(runNeed),
  ]
  return found.flatMap(({ thread, ...need }) => {
    const detail = titles.get(thread)
    return detail === undefined ? [] : [{ ...need, detail, link: `/chat/${thread}` }]
  })
}

function questionNeed({ id, content, approval, created_at }: Question): Omit<Found, 'thread'> {
  const kind = approval === null ? 'question' : 'approval'
  return { id, kind, title: content.question, severity: content.severity, at: created_at }
}

function planNeed({ id, thread_id, content, created_at }: Plan): Found {
  return { thread: thread_id, id, kind: 'plan', title: content.goal, severity: 'minor', at: created_at }
}

function runNeed({ id, thread_id, started_at }: Run): Found {
  return { thread: thread_id, id, kind: 'run', title: 'A turn was interrupted', severity: 'minor', at: started_at }
}

async function interruptedRuns(driver: Driver): Promise<Run[]> {
  const running = await runs.items(driver, { where: { status: 'running' } })
  const held = await Promise.all(running.map((run) => isHeld(driver, run)))
  return running.filter((_, at) => held[at] === false)
}

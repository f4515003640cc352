import { isHeld } from '../agent/hold.ts'
import type { Plan } from '../domain/plan.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans, questions, runs } from '../store/tables.ts'
import { lastRunOf } from './view.ts'

/** Something in a chat that waits for a person. */
export interface ChatNeed {
  id: string
  kind: 'question' | 'approval' | 'plan' | 'run'
  title: string
  detail: string
  severity: 'critical' | 'major' | 'minor'
  link: string
  at: string
}

type Found = Omit<ChatNeed, 'detail' | 'link'> & { thread: string }

/** Every question, plan, interrupted turn and reached limit of the chats that waits for a person. */
export async function chatNeeds(driver: Driver): Promise<ChatNeed[]> {
  const titles = new Map((await chats.list(driver)).map(({ item }) => [item.id, item.title]))
  const asked = await questions.list(driver, { where: { status: 'pending' } })
  const drafts = await plans.list(driver, { where: { status: 'draft' } })
  const found: Found[] = [
    ...asked.map(({ item }) => questionNeed(item)),
    ...drafts.map(({ item }) => planNeed(item)),
    ...(await interruptedRuns(driver)).map((run) => runNeed(run, 'A turn was interrupted')),
    ...(await limitedRuns(driver)).map((run) => runNeed(run, 'A limit is reached')),
  ]
  return found.flatMap(({ thread, ...need }) => {
    const detail = titles.get(thread)
    return detail === undefined ? [] : [{ ...need, detail, link: `/chat/${thread}` }]
  })
}

function questionNeed({ id, thread_id, content, approval, created_at }: Question): Found {
  const kind = approval === null ? 'question' : 'approval'
  return { thread: thread_id, id, kind, title: content.question, severity: content.severity, at: created_at }
}

function planNeed({ id, thread_id, content, created_at }: Plan): Found {
  return { thread: thread_id, id, kind: 'plan', title: content.goal, severity: 'minor', at: created_at }
}

function runNeed({ id, thread_id, started_at, ended_at }: Run, title: string): Found {
  return { thread: thread_id, id, kind: 'run', title, severity: 'minor', at: ended_at ?? started_at }
}

async function interruptedRuns(driver: Driver): Promise<Run[]> {
  const running = (await runs.list(driver, { where: { status: 'running' } })).map(({ item }) => item)
  const held = await Promise.all(running.map((run) => isHeld(driver, run)))
  return running.filter((_, at) => held[at] === false)
}

/** Runs that a limit stopped and that nobody has gone on from. */
async function limitedRuns(driver: Driver): Promise<Run[]> {
  const failed = (await runs.list(driver, { where: { status: 'failed' } })).map(({ item }) => item)
  const limited = failed.filter(({ reason }) => reason === 'budget' || reason === 'turn_limit')
  const last = await Promise.all(limited.map((run) => lastRunOf(driver, run.thread_id)))
  return limited.filter((run, at) => last[at]?.id === run.id)
}

import { isHeld } from '../agent/hold.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, plans, questions, runs } from '../store/tables.ts'

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

/** Every question, plan and interrupted turn of the chats that waits for a person, the gravest first. */
export async function chatNeeds(driver: Driver): Promise<ChatNeed[]> {
  const titles = new Map((await chats.list(driver)).map(({ item }) => [item.id, item.title]))
  const asked = await questions.list(driver, { where: { status: 'pending' } })
  const drafts = await plans.list(driver, { where: { status: 'draft' } })
  const cut = await interruptedRuns(driver)
  const found = [
    ...asked.map(({ item }) => questionNeed(item)),
    ...drafts.map(({ item }) => ({
      thread: item.thread_id,
      id: item.id,
      kind: 'plan' as const,
      title: item.content.goal,
      severity: 'minor' as const,
      at: item.created_at,
    })),
    ...cut.map((run) => ({
      thread: run.thread_id,
      id: run.id,
      kind: 'run' as const,
      title: 'A turn was interrupted',
      severity: 'minor' as const,
      at: run.started_at,
    })),
  ]
  return found.flatMap(({ thread, ...need }) => {
    const detail = titles.get(thread)
    return detail === undefined ? [] : [{ ...need, detail, link: `/chat/${thread}` }]
  })
}

function questionNeed({ id, thread_id, content, approval, created_at }: Question) {
  const kind = approval === null ? ('question' as const) : ('approval' as const)
  return { thread: thread_id, id, kind, title: content.question, severity: content.severity, at: created_at }
}

async function interruptedRuns(driver: Driver): Promise<Run[]> {
  const running = (await runs.list(driver, { where: { status: 'running' } })).map(({ item }) => item)
  const held = await Promise.all(running.map((run) => isHeld(driver, run)))
  return running.filter((_, at) => held[at] === false)
}

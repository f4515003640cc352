import { nextState } from '../../domain/flow.ts'
import type { Problem } from '../../domain/problem.ts'
import { runFlow, type Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { entries, runs } from '../../store/run-tables.ts'
import { newEntry } from '../../store/thread.ts'
import { cancelQuestions } from '../person/answer.ts'
import { settleDrafts } from './draft.ts'
import { isLeased, releasedLease } from './lease.ts'
import { addUsage } from '../limits.ts'
import { isOpen } from './context.ts'

/**
 * Ends a run before it has an answer. Every call it left open is answered as interrupted and its questions are withdrawn,
 * so that the thread can go on with another run and nobody answers into the void.
 */
export async function cutRun(tx: Driver, was: Stored<Run>, problem: Problem, now: Date): Promise<Stored<Run>> {
  const { item } = was
  await cutChildren(tx, item, problem, now)
  await closeCalls(tx, item, problem.message, now)
  const usage = addUsage(item.usage, await settleDrafts(tx, item, now))
  await cancelQuestions(tx, item.thread_id, item.id)
  await addNote(tx, item, problem, now)
  const move = problem.code === 'stopped' ? 'stop' : 'fail'
  return runs.replace(tx, was, {
    ...item,
    status: item.status === 'stopped' ? 'stopped' : nextState(runFlow, item.status, move, 'runtime'),
    reason: problem.code,
    usage,
    ...releasedLease,
    ended_at: item.ended_at ?? now.toISOString(),
  })
}

/** What it delegated has nobody left to report to. One that a living process plays hears of it by its own signal. */
async function cutChildren(tx: Driver, { id }: Run, problem: Problem, now: Date): Promise<void> {
  for (const child of await runs.list(tx, { where: { parent_run_id: id, status: ['running', 'waiting'] } })) {
    if (!(await isLeased(tx, child.item))) await cutRun(tx, child, problem, now)
  }
}

async function closeCalls(tx: Driver, run: Run, why: string, now: Date): Promise<void> {
  const thread = await entries.list(tx, { where: { thread_id: run.thread_id }, order: ['number'] })
  const ours = thread.filter(({ item }) => item.run_id === run.id)
  const reply = ours.findLast(({ item }) => item.from === 'assistant')?.item
  if (reply?.from !== 'assistant') return
  for (const call of reply.calls) {
    const answer = ours.find(({ item }) => item.from === 'tool' && item.call_id === call.id && item.number > reply.number)
    const was = answer?.item.from === 'tool' ? answer.item : null
    if (was !== null && !isOpen(was)) continue
    const output = was?.outcome === 'running' ? `cut off: ${why}; it may or may not have happened` : `not run: ${why}`
    const head = was ?? { ...(await newEntry(tx, run.thread_id, run.id, now)), details: {} }
    const said = {
      from: 'tool',
      role: run.agent_role,
      call_id: call.id,
      tool: call.tool,
      outcome: 'interrupted',
      output,
      took_ms: 0,
    } as const
    if (answer) await entries.replace(tx, answer, { ...head, ...said })
    else await entries.add(tx, { ...head, ...said })
  }
}

async function addNote(tx: Driver, run: Run, { code, message, details }: Problem, now: Date): Promise<void> {
  const head = await newEntry(tx, run.thread_id, run.id, now)
  await entries.add(tx, { ...head, from: 'note', type: 'error', text: message, details: { code, ...details } })
}

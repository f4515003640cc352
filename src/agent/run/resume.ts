import type { Usage } from '../../domain/entry.ts'
import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { runFlow, type Limits, type Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { entries, questions, runs } from '../../store/run-tables.ts'
import { newEntry, nextNumber } from '../../store/thread.ts'
import type { AgentContext } from '../agent.ts'
import { answerForModel, questionsOf } from '../person/answer.ts'
import { settleDrafts } from './draft.ts'
import { leaseFields, refuseLeased } from './lease.ts'
import { addUsage } from '../limits.ts'

/** Takes hold of a run that was interrupted, or that waited for an answer which is there now. Play it to carry on. */
export async function resumeRun(agent: AgentContext, runId: string, limits: Partial<Limits> = {}): Promise<Stored<Run>> {
  const { driver } = agent
  const lease = await leaseFields(driver)
  return driver.transaction(async (tx) => {
    const was = await runs.get(tx, runId)
    await refuseLeased(tx, was.item)
    const status = nextState(runFlow, was.item.status, 'resume', 'runtime')
    await takeUpAnswer(tx, was.item, agent.now())
    const usage = addUsage(was.item.usage, await takeUpDraft(tx, was.item, agent.now()))
    return runs.replace(tx, was, {
      ...was.item,
      ...lease,
      status,
      usage,
      quota: null,
      question_id: null,
      limits: { ...was.item.limits, ...limits },
    })
  })
}

/** The half of a reply that a dead process left is kept, and the model is told why it is asked again. */
async function takeUpDraft(tx: Driver, run: Run, now: Date): Promise<Usage> {
  const before = await nextNumber(tx, run.thread_id)
  const used = await settleDrafts(tx, run, now)
  if ((await nextNumber(tx, run.thread_id)) === before) return used
  const text = 'The reply above was cut off: the process that received it ended. The model is asked again.'
  const head = await newEntry(tx, run.thread_id, run.id, now)
  await entries.add(tx, { ...head, from: 'note', type: 'error', text, details: { code: 'interrupted' } })
  return used
}

/** Questions that stood in a reply are answered in the thread; one that a tool asked is answered as that tool's answer. */
async function takeUpAnswer(tx: Driver, run: Run, now: Date): Promise<void> {
  if (run.question_id === null) return
  const { item: question } = await questions.get(tx, run.question_id)
  if (question.status === 'pending') {
    throw new Problem('needs_person', `the run ${run.id} waits for an answer: ${question.content.question}`, { details: { question } })
  }
  const thread = await entries.items(tx, { where: { thread_id: run.thread_id }, order: ['number'] })
  const reply = thread.findLast((entry) => entry.from === 'assistant')
  const asked = reply?.from === 'assistant' ? [reply.question_id, ...reply.proposals.map(({ id }) => id)] : []
  for (const answered of await questionsOf(tx, run)) {
    if (!asked.includes(answered.id)) continue
    const head = await newEntry(tx, run.thread_id, run.id, now)
    await entries.add(tx, { ...head, from: 'note', type: 'answer', text: answerForModel(answered), details: { question_id: answered.id } })
  }
}

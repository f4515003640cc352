import { answerQuestion, cancelQuestions, type GivenAnswer } from '../../agent/answer.ts'
import { releasedLease } from '../../agent/lease.ts'
import { stopRun } from '../../agent/stop.ts'
import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import type { Question } from '../../domain/question.ts'
import { type WorkflowPlay, workflowPlayFlow } from '../../domain/workflow/play.ts'
import type { Driver } from '../../store/driver.ts'
import { runs, workflowPlays } from '../../store/tables.ts'
import { waitingQuestion } from './question.ts'

/** Answers the question a played workflow waits for. Playing it again goes on from there. */
export async function answerPlay(
  driver: Driver,
  runId: string,
  given: GivenAnswer & { question_id?: string },
  by: string,
  now: Date,
): Promise<Question> {
  const { item } = await workflowPlays.get(driver, runId)
  const question = await waitingQuestion(driver, runId)
  if (question === null) throw new Problem('bad_input', `the run ${runId} waits for no answer: it is ${item.status}`)
  if (given.question_id !== undefined && given.question_id !== question.id)
    throw new Problem('conflict', `the run ${runId} no longer waits for ${given.question_id}; its question is ${question.id}`)
  return answerQuestion(driver, question.id, given, by, now)
}

/** Stops a play and its agent, whichever process is at it, and comes back when nothing of it runs any more. */
export async function stopPlay(driver: Driver, runId: string, now: Date): Promise<WorkflowPlay> {
  await driver.transaction(async (tx) => {
    const was = await workflowPlays.get(tx, runId)
    const status = nextState(workflowPlayFlow, was.item.status, 'stop', 'user')
    await cancelQuestions(tx, runId)
    const stopped = { status, reason: 'stopped', message: 'a person stopped it', ...releasedLease }
    await workflowPlays.replace(tx, was, { ...was.item, ...stopped })
  })
  const open = await runs.items(driver, { where: { thread_id: runId, status: ['running', 'waiting'] } })
  for (const { id } of open) await stopRun(driver, id, now)
  return (await workflowPlays.get(driver, runId)).item
}

import { answerQuestion, type GivenAnswer } from '../../agent/person/answer.ts'
import { Problem } from '../../domain/problem.ts'
import type { Question } from '../../domain/question.ts'
import type { Driver } from '../../store/driver.ts'
import { workflowPlays } from '../../store/tables.ts'
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
  if (question === null) throw new Problem('bad_input', `the run ${runId} is not waiting for an answer: it is ${item.status}`)
  if (given.question_id !== undefined && given.question_id !== question.id)
    throw new Problem('conflict', `the run ${runId} no longer waits for ${given.question_id}; its question is ${question.id}`)
  return answerQuestion(driver, question.id, given, by, now)
}

import { answerQuestion, type GivenAnswer } from '../agent/answer.ts'
import { resumeRun } from '../agent/resume.ts'
import { Problem } from '../domain/problem.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { chats, questions } from '../store/tables.ts'
import { stopChat } from './configure.ts'
import { endsHere, giveRoom } from './give-room.ts'
import { agentOf, type Stage } from './stage.ts'
import { playInBackground, startTurn } from './start-turn.ts'
import { lastRunOf, openRunOf } from './view.ts'

/** Answers a question of a chat; the run that waits for it goes on at once, or ends where that is the answer. */
export async function answerInChat(stage: Stage, chatId: string, questionId: string, given: GivenAnswer, by: string): Promise<Question> {
  const { driver, now } = stage.agent
  const question = await driver.transaction(async (tx) => {
    await refuseForeign(tx, chatId, questionId)
    const answered = await answerQuestion(tx, questionId, given, by, now())
    await giveRoom(tx, chatId, answered)
    return answered
  })
  if (endsHere(question)) await stopChat(stage, chatId)
  const run = await openRunOf(driver, chatId)
  if (run?.status === 'waiting') await resume(stage, chatId, run.id)
  return question
}

/** Carries a chat on that was interrupted, stopped or refused: the same run where it can be resumed, else a new one on the same thread. */
export async function continueChat(stage: Stage, chatId: string): Promise<Run> {
  const { item: chat } = await chats.get(stage.agent.driver, chatId)
  const last = await lastRunOf(stage.agent.driver, chatId)
  if (last === null) throw new Problem('bad_input', 'nothing was started in this chat yet; say what you want done')
  if (last.status === 'running' || last.status === 'waiting') return resume(stage, chatId, last.id)
  if (last.status === 'completed') throw new Problem('bad_input', 'the last turn was finished; say what you want done next')
  const { agent_role, model, plan_id } = last
  return startTurn(stage, chat, { agent_role, model, prompt: 'Continue where you stopped.', plan_id })
}

async function resume(stage: Stage, chatId: string, runId: string): Promise<Run> {
  const { item: chat } = await chats.get(stage.agent.driver, chatId)
  const run = await resumeRun(agentOf(stage, chat), runId, chat.config.limits)
  playInBackground(stage, chat, run)
  return run.item
}

/** A question belongs to a chat when it was asked on its thread, or by an agent whose answer the chat's own run waits for. */
async function refuseForeign(tx: Driver, chatId: string, questionId: string): Promise<void> {
  const { item } = await questions.get(tx, questionId)
  if (item.thread_id === chatId || (await openRunOf(tx, chatId))?.question_id === questionId) return
  throw new Problem('not_found', `the chat ${chatId} has no question ${questionId}`)
}

import { answerQuestion, type GivenAnswer } from '../agent/answer.ts'
import { resumeRun } from '../agent/resume.ts'
import { startRun } from '../agent/start.ts'
import { Problem } from '../domain/problem.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import { chats, questions, runs } from '../store/tables.ts'
import { agentOf, playInBackground, type Stage } from './stage.ts'
import { lastRunOf } from './view.ts'

/** Answers a question of a chat; the run that asked it goes on at once. */
export async function answerInChat(stage: Stage, chatId: string, questionId: string, given: GivenAnswer, by: string): Promise<Question> {
  const { driver, now } = stage.agent
  const { item: asked } = await questions.get(driver, questionId)
  if (asked.thread_id !== chatId) throw new Problem('not_found', `the chat ${chatId} has no question ${questionId}`)
  const question = await answerQuestion(driver, questionId, given, by, now())
  const run = await runs.get(driver, question.run_id)
  if (run.item.status === 'waiting') await resume(stage, chatId, run.item.id)
  return question
}

/** Carries a chat on that was interrupted, stopped or refused: the same run where it can be resumed, else a new one on the same thread. */
export async function continueChat(stage: Stage, chatId: string): Promise<Run> {
  const { item: chat } = await chats.get(stage.agent.driver, chatId)
  const last = await lastRunOf(stage.agent.driver, chatId)
  if (last === null) throw new Problem('bad_input', 'nothing was started in this chat yet; say what you want done')
  if (last.status === 'running' || last.status === 'waiting') return resume(stage, chatId, last.id)
  if (last.status === 'completed') throw new Problem('bad_input', 'the last turn was finished; say what you want done next')
  const run = await startRun(agentOf(stage, chat), {
    agent_role: last.agent_role,
    model: last.model,
    workspace: chat.workspace,
    prompt: 'Continue where you stopped.',
    thread_id: chatId,
    plan_id: last.plan_id,
    limits: chat.config.limits,
  })
  playInBackground(stage, chat, run)
  return run.item
}

async function resume(stage: Stage, chatId: string, runId: string): Promise<Run> {
  const { item: chat } = await chats.get(stage.agent.driver, chatId)
  const run = await resumeRun(agentOf(stage, chat), runId)
  playInBackground(stage, chat, run)
  return run.item
}

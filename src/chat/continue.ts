import { answerQuestion, isAsking, type GivenAnswer } from '../agent/answer.ts'
import { resumeRun } from '../agent/resume.ts'
import { stopRun } from '../agent/stop.ts'
import type { Chat } from '../domain/chat.ts'
import { Problem } from '../domain/problem.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { chats, questions } from '../store/tables.ts'
import { endsHere, giveRoom } from './give-room.ts'
import type { Stage } from './stage.ts'
import { carriesOut, nextTurn, playInBackground, startTurn } from './start-turn.ts'
import { lastRunOf, openRunOf } from './view.ts'

/** Answers a question of a chat; the run that waits for it goes on at once, or ends where that is the answer. */
export async function answerInChat(stage: Stage, chatId: string, questionId: string, given: GivenAnswer, by: string): Promise<Question> {
  const { driver, now } = stage.agent
  // All at once: a process that died in between would leave a run that waits for something nobody can do any more.
  const { question, chat, held } = await driver.transaction(async (tx) => {
    await refuseForeign(tx, chatId, questionId)
    const answered = await answerQuestion(tx, questionId, given, by, now())
    await giveRoom(tx, chatId, answered)
    const { item } = await chats.get(tx, chatId)
    return { question: answered, chat: item, held: await goOnAfter(stage, tx, item, answered) }
  })
  if (held !== null) playInBackground(stage, chat, held)
  return question
}

/** Ends the run of a chat where that was the answer, else takes hold of it, unless it waits for another answer still. */
async function goOnAfter({ agent }: Stage, tx: Driver, chat: Chat, answered: Question): Promise<Stored<Run> | null> {
  const run = await openRunOf(tx, chat.id)
  if (run?.status !== 'waiting' || (await isAsking(tx, run))) return null
  if (!endsHere(answered)) return resumeRun({ ...agent, driver: tx }, run.id, chat.config.limits)
  await stopRun(tx, run.id, agent.now())
  return null
}

/** Carries a chat on that was interrupted, stopped or refused, in the role it has now: the same run where it can be resumed, else a new one on the same thread. */
export async function continueChat(stage: Stage, chatId: string): Promise<Run> {
  const { item: chat } = await chats.get(stage.agent.driver, chatId)
  const last = await lastRunOf(stage.agent.driver, chatId)
  if (last === null) throw new Problem('bad_input', 'nothing was started in this chat yet; say what you want done')
  if (last.status === 'completed') throw new Problem('bad_input', 'the last turn was finished; say what you want done next')
  const turn = await nextTurn(stage, chat)
  const unfinished = last.status === 'running' || last.status === 'waiting'
  // A role that a person has left must not go on: only the stored one is in force.
  if (unfinished && last.agent_role === turn.agent_role) return resume(stage, chat, last.id)
  const plan_id = carriesOut(stage, turn.agent_role) ? last.plan_id : null
  return startTurn(stage, chat, { ...turn, plan_id, prompt: 'Continue where you stopped.' })
}

async function resume(stage: Stage, chat: Chat, runId: string): Promise<Run> {
  const run = await resumeRun(stage.agent, runId, chat.config.limits)
  playInBackground(stage, chat, run)
  return run.item
}

/** A question belongs to a chat when it was asked on its thread, or by an agent whose answer the chat's own run waits for. */
async function refuseForeign(tx: Driver, chatId: string, questionId: string): Promise<void> {
  const { item } = await questions.get(tx, questionId)
  if (item.thread_id === chatId || (await openRunOf(tx, chatId))?.question_id === questionId) return
  throw new Problem('not_found', `the chat ${chatId} has no question ${questionId}`)
}

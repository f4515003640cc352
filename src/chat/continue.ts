import * as z from 'zod'
import type { AgentContext } from '../agent/agent.ts'
import { answerQuestion, isAsking } from '../agent/person/answer.ts'
import { GO_ON, limitWords, STOP_HERE } from '../agent/person/ask-for-more.ts'
import { resumeRun } from '../agent/run/resume.ts'
import { stopRun } from '../agent/run/stop.ts'
import { ChatId, type Chat } from '../domain/chat.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { Question, type AskedLimit } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { chats, questions } from '../store/tables.ts'
import { chatAgent, PERSON, playedInFront, type ChatContext } from './context.ts'
import { carriesOut, nextTurn, playChatRun, StartedTurn, startTurn, tellStarted } from './start-turn.ts'
import { lastRunOf, openRunOf } from './view.ts'

/** The run that waits for it goes on at once, or ends where that is the answer. */
export const answerInChat = defineOperation({
  name: 'chat.answer_question',
  summary: 'Answer a question of a chat by the value of an option, in your own words, or both',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({
    chat: ChatId,
    question: z.string().describe('the id of the question'),
    value: z.string().optional().describe('the value of an option'),
    text: z.string().max(20_000).optional().describe('your own words'),
  }),
  output: Question,
  example: { chat: 'chat_01', question: 'question_01', value: 'yes' },
  tell: ({ answer }) => `Answered: ${answer?.label || answer?.text || ''}`,
  run: async (context: ChatContext, { chat: chatId, question: questionId, ...given }) => {
    const { driver, now } = context.agent
    const agent = await chatAgent(context, (await chats.get(driver, chatId)).item)
    // All at once: a process that died in between would leave a run that waits for something nobody can do any more.
    const { question, held } = await driver.transaction(async (tx) => {
      await refuseForeign(tx, chatId, questionId)
      const answered = await answerQuestion(tx, questionId, given, PERSON, now())
      await giveRoom(tx, chatId, answered)
      return { question: answered, held: await goOnAfter({ ...agent, driver: tx }, chatId, answered) }
    })
    if (held !== null) playChatRun(context, agent, held)
    return question
  },
})

/** Ends the run of a chat where that was the answer, else takes hold of it, unless it waits for another answer still. */
async function goOnAfter(agent: AgentContext, chatId: string, answered: Question): Promise<Stored<Run> | null> {
  const { driver, now } = agent
  const run = await openRunOf(driver, chatId)
  if (run?.status !== 'waiting' || (await isAsking(driver, run))) return null
  if (!endsHere(answered)) return resumeRun(agent, run.id, (await chats.get(driver, chatId)).item.config.limits)
  await stopRun(driver, run.id, now())
  return null
}

/** Whether the answer to a reached limit is to leave it at that. */
function endsHere({ limit, answer }: Question): boolean {
  return limit !== undefined && answer?.value === STOP_HERE
}

/** Gives a chat the room its person granted: the limit that was proposed, or the number they wrote. */
async function giveRoom(tx: Driver, chatId: string, question: Question): Promise<void> {
  const { limit } = question
  if (limit === undefined || endsHere(question)) return
  const granted = grantedBy(question, limit)
  const was = await chats.get(tx, chatId)
  const { limits } = was.item.config
  const now = limits[limit.name]
  // Someone may have raised it further in the settings meanwhile; agreeing to the proposal must not lower that.
  const proposed = granted.own ? granted.to : now === null || granted.to === null ? null : Math.max(now, granted.to)
  await chats.replace(tx, was, { ...was.item, config: { ...was.item.config, limits: { ...limits, [limit.name]: proposed } } })
}

function grantedBy({ answer }: Question, { name, raised_to }: AskedLimit): { to: number | null; own: boolean } {
  const text = answer?.text ?? ''
  // A number and what it counts, no more: in a sentence it may be about anything.
  const said = /^\s*\$?\s*(\d[\d,_]*(?:\.\d+)?)\s*\p{L}*\s*$/u.exec(text)?.[1]?.replaceAll(/[,_]/g, '')
  const own = Math.round(Number(said) * limitWords[name].worth)
  if (own > 0 && Number.isSafeInteger(own)) return { to: own, own: true }
  if (answer?.value === GO_ON) return { to: raised_to, own: false }
  throw new Problem('bad_input', `"${text}" is not a limit; give ${limitWords[name].said}, or choose an option`)
}

/** In the role the chat has now: the same run where it can be resumed, else a new one on the same thread. */
export const continueChat = defineOperation({
  name: 'chat.continue',
  summary: 'Continue a turn that was interrupted, stopped or refused',
  by: ['person'],
  effect: 'change',
  absent: playedInFront,
  input: z.strictObject({ chat: ChatId }),
  output: StartedTurn,
  example: { chat: 'chat_01' },
  tell: tellStarted,
  run: async (context: ChatContext, { chat }) => {
    const { id: run_id, agent_role } = await goOn(context, chat)
    return { run_id, agent_role }
  },
})

async function goOn(context: ChatContext, chatId: string): Promise<Run> {
  const { item: chat } = await chats.get(context.agent.driver, chatId)
  const last = await lastRunOf(context.agent.driver, chatId)
  if (last === null) throw new Problem('bad_input', 'nothing was started in this chat yet; say what you want done')
  if (last.status === 'completed') throw new Problem('bad_input', 'the last turn was finished; say what you want done next')
  const turn = await nextTurn(context, chat)
  const unfinished = last.status === 'running' || last.status === 'waiting'
  // A role that a person has left must not go on: only the stored one is in force.
  if (unfinished && last.agent_role === turn.agent_role) return resume(context, chat, last.id)
  const plan_id = carriesOut(await context.at(chat.workspace), turn.agent_role) ? last.plan_id : null
  return startTurn(context, chat, { ...turn, plan_id, prompt: 'Continue where you stopped.' })
}

async function resume(context: ChatContext, chat: Chat, runId: string): Promise<Run> {
  const agent = await chatAgent(context, chat)
  const run = await resumeRun(agent, runId, chat.config.limits)
  playChatRun(context, agent, run)
  return run.item
}

/** A question belongs to a chat when it was asked on its thread, or by an agent whose answer the chat's own run waits for. */
async function refuseForeign(tx: Driver, chatId: string, questionId: string): Promise<void> {
  const { item } = await questions.get(tx, questionId)
  if (item.thread_id === chatId || (await openRunOf(tx, chatId))?.question_id === questionId) return
  throw new Problem('not_found', `the chat ${chatId} has no question ${questionId}`)
}

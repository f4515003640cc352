import { inOrder } from '../agent/person/answer.ts'
import { draftEntry } from '../agent/run/draft.ts'
import { childRunId } from '../agent/delegate.ts'
import { isLeased } from '../agent/run/lease.ts'
import { usageOf } from '../agent/limits.ts'
import { messagesOf, type Chat, type ChatMessage } from '../domain/chat.ts'
import type { Entry } from '../domain/entry.ts'
import type { Plan } from '../domain/plan.ts'
import { messageOf, Problem } from '../domain/problem.ts'
import type { Question } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import { hasWords } from '../domain/text/typed.ts'
import type { Driver } from '../store/driver.ts'
import { listDrafts } from '../store/run-drafts.ts'
import { threadsSaying } from '../store/said-in.ts'
import { nextNumber } from '../store/thread.ts'
import { log } from '../store/log.ts'
import { chats, entries, plans, questions, runs } from '../store/tables.ts'
import { stepProgress } from './progress.ts'
import type { ChatContext } from './context.ts'

/** The plan that is meant: the one that is named, by id or version, or the only one that could be executed, or the newest. */
export function planMeant(versions: readonly Plan[], named: string | undefined): Plan {
  const drafts = versions.filter(({ status }) => status === 'draft')
  if (named === undefined && drafts.length > 1) {
    const choice = drafts.map(({ id, version, content }) => `${version} (${id}): ${content.goal}`).join('; ')
    throw new Problem('bad_input', `there are ${drafts.length} plans to choose from, so say which one: ${choice}`)
  }
  const plan =
    named === undefined ? (drafts[0] ?? versions.at(-1)) : versions.find(({ id, version }) => id === named || String(version) === named)
  if (plan !== undefined) return plan
  throw new Problem('not_found', named === undefined ? 'there is no plan yet; ask the Planner for one' : `there is no plan ${named}`)
}

/** The questions of a chat that wait for an answer, the first one first. */
export function pendingOf(asked: readonly Question[]): Question[] {
  return asked.filter(({ status }) => status === 'pending')
}

/** An agent that a call started, and what it did. */
export interface Delegated {
  call_id: string
  run_id: string
  agent_role: string
  status: Run['status']
  messages: ChatMessage[]
}

/** Which messages of a chat are wanted: the last ones, or those before an entry's number. */
export interface MessagePage {
  before?: number | undefined
  limit: number
}

/** A chat as it is shown: a page of messages, every record they refer to, and who may do what at this moment. */
export async function viewChat(context: ChatContext, chatId: string, page: MessagePage) {
  const { driver } = context.agent
  const seq = await log.last(driver) // before reading: a change in between is then seen twice, never missed
  const { item: chat } = await chats.get(driver, chatId)
  const ofThread = { where: { thread_id: chatId } }
  const [shown, allRuns, allPlans, asked] = await Promise.all([
    pageOf(driver, chatId, page),
    runs.items(driver, ofThread),
    plans.items(driver, ofThread),
    questions.items(driver, ofThread),
  ])
  const run = newest(allRuns)
  const allQuestions = await withDelegated(driver, run, asked)
  return {
    ...(await summaryOf(driver, chat, run, [...allQuestions, ...allPlans])),
    config: chat.config,
    role_warning: await roleWarning(context, chat),
    usage: usageOf(allRuns),
    run,
    messages: [...shown.entries, ...(page.before === undefined ? await cutOffReply(driver, run) : [])].flatMap(messagesOf),
    earlier: shown.earlier,
    plans: allPlans.toSorted((a, b) => a.version - b.version),
    questions: inOrder(allQuestions),
    delegated: await delegatedIn(driver, shown.entries),
    step_progress: await progressOf(driver, chat, allPlans, allRuns),
    seq,
  }
}

/** What a process that died had heard of a reply, until the turn is carried on and it becomes a part of the thread. */
async function cutOffReply(driver: Driver, run: Run | null): Promise<Entry[]> {
  if (run?.status !== 'running' || (await isLeased(driver, run))) return []
  const heard = (await listDrafts(driver, run.id)).filter(({ text }) => text !== '')
  const number = await nextNumber(driver, run.thread_id)
  const { id: run_id, thread_id } = run
  return heard.map((draft) => draftEntry(run, draft, { id: draft.id, thread_id, run_id, number, at: run.started_at }))
}

/** What the agents did that were started by a call: their calls and results, those of agents they started in turn included. */
async function delegatedIn(driver: Driver, thread: readonly Entry[]): Promise<Delegated[]> {
  const started = await Promise.all(thread.flatMap(delegationsIn).map(({ run_id, call_id }) => workBelow(driver, run_id, call_id)))
  return started.filter((work) => work !== null)
}

function delegationsIn(entry: Entry): { run_id: string; call_id: string }[] {
  if (entry.from !== 'assistant' || entry.run_id === null) return []
  const { run_id, calls } = entry
  return calls.filter(({ tool }) => tool === 'delegate').map(({ id }) => ({ run_id, call_id: id }))
}

async function workBelow(driver: Driver, parentId: string, call_id: string): Promise<Delegated | null> {
  const child = await runs.find(driver, childRunId(parentId, call_id))
  if (child === null) return null
  const { id: run_id, thread_id, agent_role, status } = child.item
  const thread = await entries.items(driver, { where: { thread_id }, order: ['number'] })
  const below = await delegatedIn(driver, thread)
  const messages = thread.flatMap((entry) => [
    ...messagesOf(entry).filter(({ type }) => type === 'tool_call' || type === 'tool_result'),
    ...delegationsIn(entry).flatMap((call) => below.find((work) => work.call_id === call.call_id)?.messages ?? []),
  ])
  return { call_id, run_id, agent_role, status, messages }
}

/** Every chat in short, or those that were put away: pinned ones first, then the newest; `search` looks for words in title, folder and all that was said. */
export async function listChats(driver: Driver, search = '', archived = false) {
  const stored = await chats.items(driver, { order: ['-updated_at'] })
  const all = stored
    .filter(({ archived_at }) => (archived_at !== null) === archived)
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned))
  const found = await chatsWith(driver, all, search)
  const open = [...(await runs.items(driver, { where: { status: ['running', 'waiting'] } })), ...(await failedRuns(driver, found))]
  const pending = await questions.items(driver, { where: { status: 'pending' } })
  const drafts = await plans.items(driver, { where: { status: 'draft' } })
  return Promise.all(
    found.map((chat) => {
      const own = <Item extends { thread_id: string }>(items: readonly Item[]) => items.filter(({ thread_id }) => thread_id === chat.id)
      return summaryOf(driver, chat, newest(own(open)), own([...pending, ...drafts]))
    }),
  )
}

/** The chat that was used last, of one folder where that is given. */
export async function newestChat(driver: Driver, workspace?: string): Promise<Chat | null> {
  const stored = await chats.items(driver, { order: ['-updated_at'] })
  return stored.find((chat) => chat.archived_at === null && (workspace === undefined || chat.workspace === workspace)) ?? null
}

/** Each word may stand elsewhere. */
async function chatsWith(driver: Driver, all: readonly Chat[], search: string): Promise<readonly Chat[]> {
  let found = all
  for (const word of search.split(/\s+/).filter(Boolean)) {
    const saying = await threadsSaying(driver, word)
    found = found.filter(({ id, title, workspace }) => saying.has(id) || hasWords(`${title} ${workspace}`, word))
  }
  return found
}

/** The turns that failed and were the last of their chat: nobody has gone on since. */
export async function failedRuns(driver: Driver, among: readonly Chat[]): Promise<Run[]> {
  const ids = new Set(among.map(({ id }) => id))
  const failed = (await runs.items(driver, { where: { status: 'failed' } })).filter(({ thread_id }) => ids.has(thread_id))
  const last = await Promise.all(failed.map(({ thread_id }) => lastRunOf(driver, thread_id)))
  return failed.filter(({ id }, at) => last[at]?.id === id)
}

/** Everything that was said and done in a chat, as the replay provider plays it again. */
export async function recordingOf(driver: Driver, chatId: string): Promise<{ entries: Entry[] }> {
  const { item: chat } = await chats.get(driver, chatId)
  return { entries: await entries.items(driver, { where: { thread_id: chat.id }, order: ['number'] }) }
}

/** The run of a thread that is not over: at work, interrupted, or waiting for a person. */
export async function openRunOf(driver: Driver, threadId: string): Promise<Run | null> {
  return newest(await runs.items(driver, { where: { thread_id: threadId, status: ['running', 'waiting'] } }))
}

/** The run a thread saw last, however it ended. */
export async function lastRunOf(driver: Driver, threadId: string): Promise<Run | null> {
  return newest(await runs.items(driver, { where: { thread_id: threadId } }))
}

/** A chat can be read whatever became of its folder: that no role can be read there is for its person to see. */
async function roleWarning(context: ChatContext, { workspace, config }: Chat): Promise<string | null> {
  try {
    return (await context.at(workspace)).agent.roles.resolve(config.agent_role).warning
  } catch (error) {
    return messageOf(error)
  }
}

/** A question nobody answered, be it one of an agent the chat's own delegated to, and a plan nobody approved wait for a person. */
async function summaryOf(driver: Driver, chat: Chat, run: Run | null, waiting: readonly (Question | Plan)[]) {
  const { id, title, workspace, updated_at, pinned } = chat
  const { agent_role } = chat.config
  const running = run?.status === 'running' && (await isLeased(driver, run))
  const needs_you = run?.status === 'waiting' || waiting.some(({ status }) => status === 'pending' || status === 'draft')
  // A turn keeps the role it began with; one that nobody plays any more does not go on in it.
  const enforced_role = run !== null && (running || run.status === 'waiting') ? run.agent_role : agent_role
  const failed = run?.status === 'failed'
  const archived = chat.archived_at !== null
  return { id, title, workspace, agent_role, enforced_role, updated_at, pinned, archived, running, failed, needs_you }
}

/** A run may wait for what an agent it delegated to has asked, on a thread of its own. */
async function withDelegated(driver: Driver, run: Run | null, asked: Question[]): Promise<Question[]> {
  const id = run?.question_id ?? null
  if (id === null || asked.some((question) => question.id === id)) return asked
  return [...asked, (await questions.get(driver, id)).item]
}

async function pageOf(driver: Driver, thread_id: string, { before, limit }: MessagePage): Promise<{ entries: Entry[]; earlier: boolean }> {
  const where = before === undefined ? { thread_id } : { thread_id, number: { below: before } }
  const found = await entries.items(driver, { where, order: ['-number'], limit: limit + 1 })
  return { entries: found.slice(0, limit).toReversed(), earlier: found.length > limit }
}

async function progressOf(driver: Driver, chat: Chat, allPlans: readonly Plan[], allRuns: readonly Run[]) {
  const plan = allPlans.findLast(({ status }) => status === 'approved' || status === 'executed')
  if (plan === undefined) return []
  const ofPlan = new Set(allRuns.filter((run) => run.plan_id === plan.id).map((run) => run.id))
  const thread = await entries.items(driver, { where: { thread_id: chat.id }, order: ['number'] })
  const told = thread.filter((entry) => entry.run_id !== null && ofPlan.has(entry.run_id))
  return stepProgress(plan.content, told, plan.status === 'executed')
}

function newest(found: readonly Run[]): Run | null {
  return found.toSorted((a, b) => a.started_at.localeCompare(b.started_at)).at(-1) ?? null
}

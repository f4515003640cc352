import type { ModelReply, ModelRequest } from '../providers/provider.ts'
import type { Entry } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import { shorten } from '../domain/text/format.ts'
import { entries, questions } from '../store/run-tables.ts'
import { beginDraft } from './run/draft.ts'
import { recordEntries, entryHead, emitEvent, type RunContext } from './run/context.ts'
import { completed, tellEnd } from './run/end.ts'
import type { TimedReply } from './run/reply-entry.ts'
import { afterRequest, askModel, windowOf } from './turn.ts'
import { estimateEntryTokens, sizeOf, modelEntries, type Compaction } from './model-entries.ts'

/** Where the size of a model's context is unknown. */
const UNKNOWN_WINDOW = 128_000

/** Room must be left for the reply and the outputs of its calls. */
const NEAR = 0.8

/** Dropping outputs is enough when it makes this much room. */
const ROOMY = 0.6

/** The newest part of a thread, as a share of the context, is never touched. */
const KEPT = 0.25

const SUMMARISE = `You keep the record of an agent's work. Summarise the conversation so far for the agent that will continue it: what the user asked for, word for word where it matters; what was decided and why; which files were read, made or changed and how; what failed; what is left to do. Write plain text. Call no tool.`

/** How much of what the user said stays where the old part could not even be summarised. */
const SAID_CHARS = 4_000

/** Makes room when a thread comes near the model's limit: first old tool outputs go, then the old part becomes a summary. The store keeps all. */
export async function compactWhenNear(context: RunContext): Promise<void> {
  const window = windowOf(context) ?? UNKNOWN_WINDOW
  if (context.size < window * NEAR) return
  const cut = cutBefore(context.view, window * KEPT)
  if (cut === 0) return // a single huge turn: there is nothing older to give up
  await dropOutputs(context, cut)
  if (context.size >= window * ROOMY) await summarise(context, cut, '')
}

/** Asks the model. Where it refuses the size of the request, whatever we believed of it, older parts go until it takes it or none is left. */
export async function askWithRoom(context: RunContext): Promise<TimedReply> {
  for (;;) {
    try {
      return await askModel(context)
    } catch (error) {
      if (!isTooLarge(error) || !(await makeRoom(context))) throw error
    }
  }
}

/** Sums up the whole thread because its person asked for it; that is all such a run does. */
export async function compactThread(context: RunContext, { focus }: { focus: string }): Promise<Run> {
  if (context.view.some(({ from }) => from === 'assistant')) await summarise(context, context.view.length, focus)
  await recordEntries(context, { run: { ...completed(context), context_tokens: context.size, context_window: windowOf(context) } })
  return tellEnd(context, '')
}

/** Gives up what is oldest, outputs before words and at last the outputs of the present turn; false where nothing became smaller. */
async function makeRoom(context: RunContext): Promise<boolean> {
  const was = context.size
  const cut = cutBefore(context.view, was * KEPT)
  if (cut > 0) await dropOutputs(context, cut)
  if (cut > 0 && context.size > was * ROOMY) await summarise(context, cut, '')
  if (context.size >= was * NEAR) await dropOutputs(context, context.view.length)
  return context.size < was
}

async function dropOutputs(context: RunContext, cut: number): Promise<void> {
  await note(context, cut, { kept: 'outputs_dropped', text: 'Older tool outputs are left out from here on.' })
}

/** The old part becomes the model's summary; where it is too long even for that, what the user said in it stands for it. */
async function summarise(context: RunContext, cut: number, focus: string): Promise<void> {
  const text = await summary(context, cut, focus).catch((error: unknown) => {
    if (!isTooLarge(error)) throw error
    return leftOut(context.view.slice(0, cut))
  })
  if (text !== null) await note(context, cut, { kept: 'summary', text })
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Problem && error.code === 'too_large'
}

function leftOut(old: readonly Entry[]): string {
  const said = old.flatMap((entry) => (entry.from === 'user' ? [`- ${shorten(entry.text, SAID_CHARS / 8)}`] : []))
  const last = said.join('\n').slice(-SAID_CHARS)
  return `The earlier part of this conversation was too long to be summarised and is left out. The user said in it:\n${last}`
}

/** How many entries of the view come before the part that stays: a turn is never torn from the answers to its calls. */
function cutBefore(view: readonly Entry[], keepTokens: number): number {
  let kept = 0
  let at = view.length
  while (at > 0 && kept < keepTokens) kept += estimateEntryTokens(view[--at] as Entry) // at > 0, so there is one before it
  while (at > 0 && view[at]?.from === 'tool') at -= 1
  return at
}

async function note(context: RunContext, cut: number, { kept, text }: Pick<Compaction, 'kept'> & { text: string }): Promise<void> {
  const up_to = context.view[cut - 1]?.number ?? 0
  const details = { up_to, kept } satisfies Compaction
  await recordEntries(context, { add: { ...entryHead(context), from: 'note', type: 'compaction', text, details } })
  context.view = modelEntries(await wholeThread(context))
  context.size = sizeOf(context.view) + Math.ceil(context.system.length / 4)
}

/** What is heard while it is asked is kept only until the answer is there. */
async function askOnDraft(context: RunContext, asked: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  const draft = await beginDraft(context, asked)
  try {
    return await context.performer.provider.ask(asked, signal)
  } finally {
    await draft.discard()
  }
}

/** The model's own summary, with what must not be paraphrased added word for word; null when it had nothing to say, for that must not stand for all that was. */
async function summary(context: RunContext, cut: number, focus: string): Promise<string | null> {
  const { run, performer, signal, specs, agent } = context
  const old = context.view.slice(0, cut)
  const asked = {
    model: performer.model,
    system: focus === '' ? SUMMARISE : `${SUMMARISE} Above all keep what concerns this: ${focus}`,
    entries: old,
    tools: specs,
  }
  const reply = await askOnDraft(context, asked, signal)
  await recordEntries(context, { run: afterRequest(run.item, reply.usage) })
  emitEvent(context, { type: 'message', role: run.item.agent_role, text: reply.text, usage: reply.usage })
  if (reply.text.trim() === '') return null
  const upTo = old.at(-1)?.number ?? 0
  const request = (await wholeThread(context)).findLast((entry) => entry.from === 'user' && !entry.queued && entry.number <= upTo)
  const pending = await questions.items(agent.driver, { where: { thread_id: run.item.thread_id, status: 'pending' } })
  return [
    `The earlier part of this conversation, summarised:\n${reply.text}`,
    ...(request?.from === 'user' ? [`The user's last request in it, verbatim:\n${request.text}`] : []),
    ...pending.map(({ content }) => `A question that is still open, verbatim:\n${JSON.stringify(content)}`),
  ].join('\n\n')
}

async function wholeThread({ agent, run }: RunContext): Promise<Entry[]> {
  return entries.items(agent.driver, { where: { thread_id: run.item.thread_id }, order: ['number'] })
}

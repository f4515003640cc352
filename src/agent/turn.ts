import { Usage } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'
import { elapsedText } from '../domain/text/format.ts'
import type { ModelReply, ModelWatch, Silence } from '../providers/provider.ts'
import { entries, plans, runs } from '../store/run-tables.ts'
import { nextNumber } from '../store/thread.ts'
import { beginDraft } from './run/draft.ts'
import { holderId } from '../sandbox/process/holder.ts'
import { keepingFiles } from './keep-files.ts'
import { addUsage } from './limits.ts'
import { ownCalls } from './run/own-calls.ts'
import { watchLimit } from './quota/watch-limit.ts'
import { maskedEntry } from './mask-entry.ts'
import { filesFor } from './shown-files.ts'
import { cutOf, replyEntry, type TimedReply } from './run/reply-entry.ts'
import { recordEntries, entryHead, emitEvent, type RunContext } from './run/context.ts'

/** Says who acts, and with what. */
export function tellStart(context: RunContext): void {
  const { agent_role, model, workspace } = context.run.item
  emitEvent(context, { type: 'init', role: agent_role, model, workspace, tools: context.specs.map((spec) => spec.name) })
}

/** Records which files of instructions this run was told, and says so where its thread was not told the same before. */
export async function tellInstructions(context: RunContext): Promise<void> {
  const { run, view } = context
  const { files, notices } = context.told
  if (files.join('\n') !== run.item.instructions.join('\n')) await recordEntries(context, { run: { instructions: files } })
  if (view.some((entry) => entry.from === 'assistant')) return
  for (const message of notices) emitEvent(context, { type: 'notice', message })
}

/** An agent that acts by itself may have been cut off in the midst of it; it is told so rather than silently sent again. */
export async function tellCutOff(context: RunContext): Promise<void> {
  const resumed = context.run.version > 1
  if (!resumed || context.performer.acts !== true || context.view.at(-1)?.from === 'assistant') return
  const text =
    'An earlier attempt was cut off before it reported. It may have done a part of the work: look at what is there before you continue.'
  await recordEntries(context, { add: { ...entryHead(context), from: 'note', type: 'error', text, details: { code: 'interrupted' } } })
}

/** One request to the model. When the run is stopped meanwhile, what was said so far is kept and marked. */
export async function askModel(context: RunContext): Promise<TimedReply> {
  const { system, view, specs, signal } = context
  const { provider, model } = context.performer
  const started = performance.now()
  const { reasoning } = context.run.item
  const request = {
    model,
    system,
    entries: view,
    tools: specs,
    cache_key: context.run.item.thread_id,
    files: await filesFor(context),
    ...(reasoning !== null && { reasoning }),
  }
  const draft = await beginDraft(context, request)
  const limit = watchLimit(context)
  const { watch, heard } = watchTurn(context, draft)
  const { onLimit, onSwitch } = limit
  const tookMs = () => Math.max(0, Math.round(performance.now() - started - limit.waitedMs()))
  try {
    const reply = await keepingFiles(context, () => provider.ask(request, signal, { ...watch, onLimit, onSwitch }))
    await draft.end()
    return { ...reply, took_ms: tookMs() }
  } catch (error) {
    await draft.discard()
    await storeCutOff(context, error, signal.aborted ? heard() : '', tookMs())
    throw error
  }
}

/** Tells whoever watches what is heard of a reply before it is whole, and keeps it. */
function watchTurn(context: RunContext, draft: Awaited<ReturnType<typeof beginDraft>>) {
  const { provider } = context.performer
  let heard = ''
  const forget = () => {
    const said = heard
    heard = ''
    draft.again()
    return said
  }
  const watch: ModelWatch = {
    onText: (text) => {
      heard += text
      draft.hear(text)
      emitEvent(context, { type: 'delta', text })
    },
    onSilence: (silence) => emitEvent(context, { type: 'notice', message: silenceText(provider.name, silence) }),
    onThought: (text) => emitEvent(context, { type: 'thought', text }),
    onIgnored: (reason) => {
      if (context.run.item.turns === 0)
        emitEvent(context, { type: 'notice', message: `The model is asked without what it does not take: ${reason}` })
    },
    onRetry: ({ reason, wait_ms }) => {
      forget()
      const message = `${reason}; asked again in ${Math.ceil(wait_ms / 1_000)} s`
      emitEvent(context, { type: 'error', code: 'provider_failed', message, retryable: true })
    },
    own: ownCalls(context, forget),
  }
  return { watch, heard: () => heard }
}

function silenceText(name: string, { waited_ms, limit_ms, own_server }: Silence): string {
  const why = own_server ? '; it may be loading its model' : ''
  return `${name} has sent nothing for ${elapsedText(waited_ms)}${why}. It is given up after ${elapsedText(limit_ms)} without a sign.`
}

/** Stores a reply before any of its calls runs. */
export async function storeReply(context: RunContext, reply: TimedReply): Promise<void> {
  await recordEntries(context, { add: replyEntry(context, reply), run: afterTurn(context, reply) })
  tellReply(context, reply)
}

/** What a turn adds to the record of its run. */
export function afterTurn(context: RunContext, { usage }: Pick<ModelReply, 'usage'>) {
  const counted = usage.input_tokens + usage.output_tokens
  const context_window = windowOf(context)
  return { ...afterRequest(context.run.item, usage), context_tokens: counted === 0 ? context.size : counted, context_window }
}

/** What any request to a model adds to it. */
export function afterRequest(run: Run, usage: Usage): Pick<Run, 'turns' | 'usage'> {
  return { turns: run.turns + 1, usage: addUsage(run.usage, usage) }
}

/** How many tokens the model of a run can hold, where that is known. */
export function windowOf({ performer }: RunContext): number | null {
  return performer.provider.contextWindow(performer.model)
}

/** Tells of a reply, and corrects our guess of the thread's size by what the model counted. */
export function tellReply(context: RunContext, { text, usage, stop }: ModelReply): void {
  if (usage.input_tokens > 0) context.size = usage.input_tokens + usage.output_tokens
  const cut = cutOf(stop)
  emitEvent(context, { type: 'message', role: context.run.item.agent_role, text, usage, ...(cut !== null && { cut }) })
}

/** A run that carries out a plan stops when the plan it was approved for is no longer that plan. */
export async function refuseChangedPlan(context: RunContext): Promise<void> {
  const { plan_id } = context.run.item
  if (plan_id === null) return
  const { item } = await plans.get(context.agent.driver, plan_id)
  if (item.status === 'approved') return
  throw new Problem('needs_person', `the plan this run carries out is ${item.status} now; approve the newest version to continue`)
}

/** Whoever stopped the run has changed its record; the words, and what the turn used, are added beside it, as long as the run is still ours. */
async function storeCutOff(context: RunContext, error: unknown, text: string, took_ms: number): Promise<void> {
  const spent = error instanceof Problem ? Usage.safeParse(error.details['usage']).data : undefined
  if (text === '' && spent === undefined) return
  const { model } = context.run.item
  const entry = replyEntry(context, { text, calls: [], usage: spent ?? Usage.parse({}), model, stop: 'end', took_ms })
  await context.agent.driver.transaction(async (tx) => {
    const was = await runs.get(tx, context.run.item.id)
    if (was.item.holder !== holderId()) return
    const stopped = { ...entry, stopped: true, number: await nextNumber(tx, entry.thread_id) }
    if (text !== '') await entries.add(tx, maskedEntry(stopped, context.agent.secrets ?? []))
    if (spent === undefined) return
    const stored = await runs.replace(tx, was, { ...was.item, usage: addUsage(was.item.usage, spent) })
    if (was.version === context.run.version) context.run = stored
  })
}

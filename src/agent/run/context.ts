import type { AssistantEntry, Entry, ToolCall, ToolEntry } from '../../domain/entry.ts'
import type { RunEvent } from '../../domain/event.ts'
import { newId } from '../../domain/id.ts'
import type { Role } from '../../domain/role.ts'
import type { Run } from '../../domain/run.ts'
import type { ToolSpec } from '../../providers/provider.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { removeDrafts } from '../../store/run-drafts.ts'
import { entries, runs } from '../../store/run-tables.ts'
import { nextNumber, type EntryHead } from '../../store/thread.ts'
import type { GateContext } from '../../tools/tool.ts'
import type { AgentContext, ChosenModel } from '../agent.ts'
import type { LiveOutput } from './live-output.ts'
import type { Told } from './told.ts'
import { maskedEntry } from '../mask-entry.ts'
import { asShown, estimateEntryTokens } from '../model-entries.ts'

/** A run in the hands of this process: its record, and what would be slow to read again each turn. */
export interface RunContext {
  readonly agent: AgentContext
  readonly role: Role
  readonly performer: ChosenModel
  readonly gate: GateContext
  readonly output: LiveOutput
  readonly specs: readonly ToolSpec[]
  readonly signal: AbortSignal
  run: Stored<Run>
  system: string
  readonly told: Told
  /** What the model is shown of the thread, and about how many tokens that is. */
  view: Entry[]
  size: number
  /** The reply whose calls are being answered, and each answer, final or not, by call id. */
  reply: AssistantEntry | null
  readonly answers: Map<string, Stored<ToolEntry>>
  readonly callIds: Set<string>
  /** Up to which number of the thread this run has looked for what the user said meanwhile. */
  heardUpTo: number
  /** What the run had worked, and waited for limits, before this process took it up, and when that was. */
  readonly workedMs: number
  readonly since: number
  /** The last write: calls that run side by side take turns to store their answers. */
  writing: Promise<unknown>
}

/** What one write of a run stores, all or nothing. */
export interface Write {
  add?: Entry
  /** What `add` takes the place of. */
  remove?: Stored<Entry>
  replace?: { was: Stored<ToolEntry>; entry: ToolEntry }
  run?: Partial<Run>
  also?: (tx: Driver) => Promise<void>
}

/** Stores in one transaction, and only while no other process has taken the run over. */
export function recordEntries(context: RunContext, write: Write): Promise<void> {
  const done = context.writing.then(() => recordNow(context, write))
  context.writing = done.catch(() => undefined) // the caller hears of it; the next write finds out for itself
  return done
}

/** The fields every new entry of the run has; its number is settled when it is stored. */
export function entryHead(context: RunContext): EntryHead {
  const { id, thread_id } = context.run.item
  const now = context.agent.now()
  return { id: newId('entry', now), thread_id, number: 0, run_id: id, at: now.toISOString() }
}

type Answered = Pick<ToolEntry, 'outcome' | 'output' | 'details' | 'took_ms' | 'attachments'>

/** The answer to a call as an entry: a new one, or in the place of what was stored of the call before. */
export function answerEntry(context: RunContext, call: ToolCall, answered: Answered): ToolEntry {
  const head = context.answers.get(call.id)?.item ?? entryHead(context)
  return { ...head, from: 'tool', role: context.run.item.agent_role, call_id: call.id, tool: call.tool, ...answered }
}

/** Tells whoever watches. */
export function emitEvent(play: Pick<RunContext, 'agent' | 'run'>, event: WithoutIds<RunEvent>): void {
  const { id, thread_id } = play.run.item
  play.agent.onEvent({ ...event, thread_id, run_id: id })
}

type WithoutIds<Event> = Event extends unknown ? Omit<Event, 'thread_id' | 'run_id'> : never

/** Whether an answer is still to come: its call was started, or waits for a person. */
export function isOpen(entry: ToolEntry): boolean {
  return entry.outcome === 'running' || entry.outcome === 'waiting'
}

/** How long the run has worked; time spent waiting for a person or for a limit to end is not counted. */
export function workedMs(context: RunContext): number {
  return Math.round(context.workedMs + performance.now() - context.since - context.run.item.waited_ms)
}

async function recordNow(context: RunContext, { add, remove, replace, run, also }: Write): Promise<void> {
  const stored = await context.agent.driver.transaction(async (tx) => {
    if (remove) await entries.remove(tx, remove)
    const item = add ? { ...add, number: await nextNumber(tx, add.thread_id) } : replace?.entry
    const masked = item && maskedEntry(item, context.agent.secrets ?? [])
    const written = masked && (replace ? await entries.replace(tx, replace.was, masked) : await entries.add(tx, masked))
    if (item?.from === 'assistant') await removeDrafts(tx, context.run.item.id) // it is whole now
    await also?.(tx)
    return { kept: item && written && { item, version: written.version }, run: await fenced(tx, context.run, run) }
  })
  context.run = stored.run
  if (stored.kept) keep(context, stored.kept)
}

/** A stale process, whose run was taken over, finds another version here and writes nothing. */
async function fenced(tx: Driver, was: Stored<Run>, change: Partial<Run> | undefined): Promise<Stored<Run>> {
  if (change !== undefined) return runs.replace(tx, was, { ...was.item, ...change })
  await runs.confirm(tx, was)
  return was
}

function keep(context: RunContext, { item, version }: Stored<Entry>): void {
  if (item.from === 'tool') context.answers.set(item.call_id, { item, version })
  if (item.from === 'tool' && isOpen(item)) return // the model sees an answer when it is one
  if (item.from === 'assistant') {
    context.reply = item
    context.answers.clear()
  }
  context.view.push(asShown(item))
  context.size += estimateEntryTokens(item)
}

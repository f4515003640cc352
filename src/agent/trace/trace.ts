import * as z from 'zod'
import { ChatMessage, messagesOf } from '../../domain/chat.ts'
import type { Entry } from '../../domain/entry.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { Run } from '../../domain/run.ts'
import { counted } from '../../domain/text/format.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import type { Driver } from '../../store/driver.ts'
import { entries, plans, questions, runs } from '../../store/run-tables.ts'
import { childRunId } from '../delegate.ts'
import { hiddenFrom, maskedFor } from './hidden-texts.ts'
import { listingOf, RunListing, type RunsContext } from '../runs.ts'

/** Longer outputs and arguments are cut: ten thousand calls must fit a page's memory. `whole` gives one of them in full. */
const SHOWN_CHARS = 3_000
const DIFF_CHARS = 30_000
/** As many entries are read at a time: the entries of a run may stand among those of a long thread. */
const READ_AT_ONCE = 1_000

/** A page of what an agent did, in order, with what it started and what it asked. */
export type RunTrace = z.infer<typeof RunTrace>
export const RunTrace = RunListing.extend({
  parent_run_id: z.string().nullable(),
  /** Where on the page the work it belongs to is shown. */
  link: z.string().nullable(),
  messages: z.array(ChatMessage),
  /** The messages of which only a part is here. */
  shortened: z.array(z.string()),
  /** The number to go on after; null at the end. */
  next: z.int().nullable(),
  delegated: z.array(z.object({ call_id: z.string(), run_id: z.string(), agent_role: z.string(), status: RunListing.shape.status })),
  /** In words, by the id of a question or a plan of this page. */
  asked: z.record(z.string(), z.string()),
})

export const traceRun = defineOperation({
  name: 'run.trace',
  summary: 'Show step by step what an agent did in a run: what it said and thought, its calls, their results and their cost',
  by: ['person'],
  effect: 'read',
  command: 'runs trace <run>',
  input: z.strictObject({
    run: z.string().min(1).describe('the id of a run'),
    after: z.int().min(-1).default(-1).describe('only what follows this number'),
    limit: z.int().min(1).max(2_000).default(500).describe('how many entries at most'),
    whole: z.boolean().default(false).describe('with long outputs and arguments in full'),
  }),
  output: RunTrace,
  example: { run: 'run_01' },
  tell: ({ run_id, status, messages, turns }) =>
    [`${run_id} is ${status} after ${counted(turns, 'turn')}`, ...messages.map(line)].join('\n'),
  run: async ({ driver }: RunsContext, { run: id, after, limit, whole }) => {
    const { item: run } = await runs.get(driver, id)
    const page = await entriesOf(driver, run, after, limit + 1)
    const shown = page.slice(0, limit)
    const all = shown.flatMap(messagesOf)
    const short = whole ? all : all.map(shortened)
    const listing = await listingOf(driver, run)
    return maskedFor(
      {
        ...listing,
        link: runLink(listing, run),
        parent_run_id: run.parent_run_id,
        messages: short,
        shortened: short.flatMap((message, at) => (message === all[at] ? [] : [message.id])),
        next: page.length > limit ? (shown.at(-1)?.number ?? null) : null,
        delegated: await startedBy(driver, id, shown),
        asked: await askedIn(driver, all),
      },
      await hiddenFrom(driver, run),
    )
  },
})

/** Where on the page the work that a run belongs to is shown. */
export function runLink({ way, subject }: Pick<RunListing, 'way' | 'subject'>, { thread_id }: Run): string | null {
  const [board, task] = thread_id.split('/')
  const links: Record<RunListing['way'], string | null> = {
    chat: `/chat/${subject}`,
    job: `/jobs/${subject}`,
    workflow: `/workflows/runs/${subject}`,
    board: task === undefined || task === 'planning' ? `/board/${board}` : `/board/${board}/task/${task}`,
    run: null,
  }
  return links[way]
}

/** The entries of a run after a number. Other runs may have written on the same thread. */
async function entriesOf(driver: Driver, { id, thread_id }: Run, after: number, limit: number): Promise<Entry[]> {
  const found: Entry[] = []
  for (let from = after; found.length < limit;) {
    const read = await entries.items(driver, { where: { thread_id, number: { above: from } }, order: ['number'], limit: READ_AT_ONCE })
    found.push(...read.filter(({ run_id }) => run_id === id))
    from = read.at(-1)?.number ?? from
    if (read.length < READ_AT_ONCE) break
  }
  return found.slice(0, limit)
}

/** The agents that calls of these entries started. */
async function startedBy(driver: Driver, id: string, shown: readonly Entry[]): Promise<RunTrace['delegated']> {
  const calls = shown.flatMap((entry) => (entry.from === 'assistant' ? entry.calls.filter(({ tool }) => tool === 'delegate') : []))
  const started = await Promise.all(
    calls.map(async (call) => {
      const child = await runs.find(driver, childRunId(id, call.id))
      if (child === null) return []
      const { run_id, agent_role, status } = await listingOf(driver, child.item)
      return [{ call_id: call.id, run_id, agent_role, status }]
    }),
  )
  return started.flat()
}

/** What was asked and planned, in a sentence each. */
async function askedIn(driver: Driver, messages: readonly ChatMessage[]): Promise<Record<string, string>> {
  const asked = messages.flatMap((message) => (message.type === 'question' ? [message.question_id] : []))
  const planned = messages.flatMap((message) => (message.type === 'plan' ? [message.plan_id] : []))
  const said = await Promise.all([
    ...asked.map(async (id) => [id, (await questions.find(driver, id))?.item.content.question ?? ''] as const),
    ...planned.map(async (id) => [id, (await plans.find(driver, id))?.item.content.goal ?? ''] as const),
  ])
  return Object.fromEntries(said)
}

/** The same message where nothing was too long. */
function shortened(message: ChatMessage): ChatMessage {
  if (message.type === 'tool_call') {
    const input = cutTexts(message.input, SHOWN_CHARS)
    return input === message.input ? message : { ...message, input }
  }
  if (message.type !== 'tool_result') return message
  const details = cutTexts(message.details, DIFF_CHARS)
  const output = message.output.slice(0, SHOWN_CHARS)
  return details === message.details && output === message.output ? message : { ...message, output, details }
}

function cutTexts<T>(fields: T, chars: number): T {
  if (!isRecord(fields) || !Object.values(fields).some((value) => typeof value === 'string' && value.length > chars)) return fields
  const cut = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, chars) : value])
  return Object.fromEntries(cut) as T // the same fields, some of their texts shorter
}

/** One message in one line of a terminal. */
function line(message: ChatMessage): string {
  if (message.type === 'tool_call') return `→ ${message.tool} ${JSON.stringify(message.input)}`.slice(0, 200)
  if (message.type === 'tool_result') return `← ${message.tool}: ${message.outcome}`
  return `${message.type}: ${'text' in message ? message.text.slice(0, 500) : ''}`
}

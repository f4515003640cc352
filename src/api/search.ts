import * as z from 'zod'
import { hiddenFrom, maskedFor } from '../agent/trace/hidden-texts.ts'
import { listingOf } from '../agent/runs.ts'
import { runLink } from '../agent/trace/trace.ts'
import { defineOperation } from '../domain/operation.ts'
import { counted, shorten } from '../domain/text/format.ts'
import type { Driver } from '../store/driver.ts'
import { findTexts, wordsIn, type FoundText } from '../store/search.ts'
import { chats, entries, jobs, runs, tasks, workflowRuns } from '../store/tables.ts'

/** Something that has all the words: what it is, where it is shown, and the words around the first of them. */
export type SearchHit = z.infer<typeof SearchHit>
const SearchHit = z.object({
  kind: z.enum(['chat', 'task', 'job', 'workflow run', 'message']),
  id: z.string(),
  title: z.string(),
  excerpt: z.string(),
  link: z.string(),
})

export const searchAll = defineOperation({
  name: 'system.search',
  summary: 'Find chats, tasks, jobs, runs and messages by their words, newest first',
  by: ['person'],
  effect: 'read',
  command: 'search <words...>',
  input: z.strictObject({
    words: z.string().max(500).describe('words, or beginnings of words, that must all be in it'),
    limit: z.int().min(1).max(200).default(30).describe('how many at most'),
  }),
  output: z.object({ hits: z.array(SearchHit) }),
  example: { words: 'parser cursor' },
  tell: ({ hits }) =>
    hits.length === 0
      ? 'Nothing found'
      : [counted(hits.length, 'hit'), ...hits.map(({ kind, title, excerpt }) => `${kind}: ${title}\n  ${excerpt}`)].join('\n'),
  run: async ({ driver }: { driver: Driver }, { words: text, limit }) => {
    const words = wordsIn(text)
    const named = await findTexts(driver, 'name', words, limit)
    const said = await findTexts(driver, 'body', words, limit)
    const hits = await Promise.all([...named, ...said].map((found) => hitOf(driver, found, words)))
    const whole = hits.filter((hit) => hit !== null)
    return { hits: whole.filter(({ kind, id }, at) => whole.findIndex((one) => one.kind === kind && one.id === id) === at).slice(0, limit) }
  },
})

/** Null for what went between the search and the look. */
async function hitOf(driver: Driver, found: FoundText, words: readonly string[]): Promise<SearchHit | null> {
  const { topic, id, name, body } = found
  const excerpt = excerptOf(body === '' ? name : body, words)
  if (topic === 'entries') return messageHit(driver, found, words)
  if (topic === 'chats') {
    const chat = await chats.find(driver, id)
    return chat && { kind: 'chat', id, title: chat.item.title, excerpt: chat.item.workspace, link: `/chat/${id}` }
  }
  if (topic === 'jobs') {
    const job = await jobs.find(driver, id)
    return job && { kind: 'job', id, title: id, excerpt, link: `/jobs/${id}` }
  }
  if (topic === 'workflow_runs') {
    const run = await workflowRuns.find(driver, id)
    return run && { kind: 'workflow run', id, title: run.item.workflow_id, excerpt: run.item.status, link: `/workflows/runs/${id}` }
  }
  const task = await tasks.find(driver, id)
  if (task === null) return null
  const { board_id, id: task_id, description } = task.item
  const title = `${task_id}: ${shorten(description.split('\n')[0] ?? '', 120)}`
  return { kind: 'task', id, title, excerpt, link: `/board/${board_id}/task/${task_id}` }
}

/** What was said, and in which work. What only the agent of a workflow may read is not shown. */
async function messageHit(driver: Driver, { id, body }: FoundText, words: readonly string[]): Promise<SearchHit | null> {
  const entry = (await entries.find(driver, id))?.item
  if (entry === undefined) return null
  const chat = await chats.find(driver, entry.thread_id)
  if (chat !== null) {
    return { kind: 'message', id, title: chat.item.title, excerpt: excerptOf(body, words), link: `/chat/${chat.item.id}` }
  }
  const run = entry.run_id === null ? null : ((await runs.find(driver, entry.run_id))?.item ?? null)
  if (run === null) return null
  const listing = await listingOf(driver, run)
  const shown = maskedFor(body, await hiddenFrom(driver, run))
  if (!words.every((word) => shown.toLowerCase().includes(word.toLowerCase()))) return null
  const title = `${run.agent_role} in ${listing.way === 'run' ? 'a run' : `${listing.way} ${listing.subject}`}`
  return {
    kind: 'message',
    id,
    title,
    excerpt: excerptOf(shown, words),
    link: listing.way === 'run' ? `/runs/${run.id}` : withRun(runLink(listing, run), run.id),
  }
}

function withRun(link: string | null, run: string): string {
  return link === null ? `/runs/${run}` : `${link}?run=${run}`
}

const BEFORE_CHARS = 50
const EXCERPT_CHARS = 180

/** The words around the first that was looked for. */
function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replaceAll(/\s+/g, ' ')
  const places = words.map((word) => flat.toLowerCase().indexOf(word.toLowerCase())).filter((place) => place >= 0)
  const from = Math.max(0, Math.min(...places, flat.length) - BEFORE_CHARS)
  return `${from > 0 ? '…' : ''}${shorten(flat.slice(places.length === 0 ? 0 : from), EXCERPT_CHARS)}`
}

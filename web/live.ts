import type { QueryClient } from '@tanstack/react-query'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { useSyncExternalStore } from 'react'
import type { ReadName } from '../src/api/operations.ts'
import type { Delta } from '../src/domain/event.ts'
import { token } from './token.ts'

/** Which reads show records of a topic; a topic not named here concerns no screen that is kept. */
const shownBy: Record<string, readonly ReadName[]> = {
  chats: ['chat.list', 'chat.show', 'system.list_projects'],
  entries: ['chat.show', 'chat.checkpoints', 'chat.changes', 'workflow.show_run', 'run.trace'],
  quotas: ['quota.list'],
  runs: [
    'quota.list',
    'chat.list',
    'chat.show',
    'system.list_needs',
    'system.list_running',
    'board.view',
    'board.get_task',
    'workflow.show_run',
    'run.trace',
  ],
  plans: ['chat.show', 'system.list_needs'],
  questions: ['chat.show', 'chat.list', 'system.list_needs', 'workflow.show_run'],
  workflow_runs: ['workflow.list_runs', 'workflow.show_run', 'system.list_needs'],
  workflow_plays: ['system.list_running', 'workflow.list_runs', 'workflow.show_run', 'system.list_needs'],
  workflow_play_steps: ['workflow.show_run'],
  boards: ['system.list_projects', 'board.list', 'board.view', 'board.view_sprint', 'board.list_alarms', 'system.list_needs'],
  tasks: [
    'board.view',
    'board.list_tasks',
    'board.get_task',
    'board.get_task_diff',
    'board.list_task_files',
    'board.view_graph',
    'board.view_sprint',
    'board.view_report',
    'system.list_needs',
  ],
  board_agents: ['board.view', 'system.list_running'],
  board_records: ['board.get_task', 'board.list_records', 'board.view_report'],
  board: ['board.view', 'board.view_team', 'board.list_activity'],
  jobs: ['system.list_running', 'system.list_projects', 'job.list', 'job.status', 'job.diff', 'system.list_needs'],
  job_interactions: ['job.timeline', 'job.metrics', 'job.replay'],
  job_moves: ['job.timeline'],
}

const REFRESH_EVERY_MS = 60
const RETRY_MS = 1000

/** Follows the log for as long as the page is open: what changed is refreshed, what is being said is shown as it comes. */
export async function followLog(queries: QueryClient, signal: AbortSignal): Promise<void> {
  const stale = new Set<string>()
  let after: number | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const refreshRoute = refresherOf(queries)
  const refresh = () => {
    timer = null
    for (const name of stale) void refreshRoute(name)
    stale.clear()
  }
  while (!signal.aborted) {
    try {
      for await (const { event, data } of await serverEvents(after, signal)) {
        setConnected(true)
        if (event === 'live') hear(JSON.parse(data) as Delta) // sent by our own server
        if (event !== 'log') continue
        const { seq, topic } = JSON.parse(data) as { seq: number; topic: string } // as above
        after = seq
        for (const name of shownBy[topic] ?? []) stale.add(name)
        timer ??= setTimeout(refresh, REFRESH_EVERY_MS)
      }
    } catch {
      // The server stopped or the network broke: we come back at the line we had, so nothing is missed or shown twice.
    }
    if (signal.aborted) return
    setConnected(false)
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    void queries.invalidateQueries()
  }
}

/** Refreshes what a route shows. Asked again while an answer is on its way, it asks once more afterwards: started over each time, a busy board would never get one. */
function refresherOf(queries: QueryClient) {
  const askedAgain = new Map<string, boolean>()
  return async (name: string): Promise<void> => {
    if (askedAgain.has(name)) return void askedAgain.set(name, true)
    do {
      askedAgain.set(name, false)
      await queries.invalidateQueries({ queryKey: [name] })
    } while (askedAgain.get(name))
    askedAgain.delete(name)
  }
}

/** `EventSource` cannot send the token as a header, and a token in an address ends up in logs. */
async function serverEvents(after: number | null, signal: AbortSignal) {
  const response = await fetch(`/api/events${after === null ? '' : `?after=${after}`}`, {
    headers: { authorization: `Bearer ${token() ?? ''}` },
    signal,
  })
  if (!response.ok || response.body === null) throw new Error(`events answered ${response.status}`)
  return response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
}

const watchers = new Set<() => void>()
/** What is being said or printed: its text from `start` of the whole on. By run, or by run and call: what a failed one left must not show up in the next. */
const drafts = new Map<string, { start: number; text: string }>()
const heldUp = new Map<string, string>()
let connected = true

/** What a model is saying at this moment in a run. A finished reply stays until the next begins: the stored one takes its place without a gap. */
export function useDraft(runId: string | undefined): string {
  return useSyncExternalStore(watch, () => drafts.get(runId ?? '')?.text ?? '')
}

/** Why the model of a run is asked again, and when; empty while nothing holds it up. */
export function useHeldUp(runId: string | undefined): string {
  return useSyncExternalStore(watch, () => heldUp.get(runId ?? '') ?? '')
}

/** The end of what the model of a run is thinking, where its provider shows that. */
export function useThoughts(runId: string | undefined): string {
  return useSyncExternalStore(watch, () => drafts.get(`${runId} thoughts`)?.text ?? '')
}

/** The end of what a running call has printed so far. */
export function useLiveOutput(runId: string | undefined, callId: string | undefined): string {
  return useSyncExternalStore(watch, () => drafts.get(`${runId} ${callId}`)?.text ?? '')
}

/** Whether the server is there. */
export function useConnected(): boolean {
  return useSyncExternalStore(watch, () => connected)
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Of what a call prints only the end is shown, so only that is kept. */
const OUTPUT_KEPT_CHARS = 8_000

function hear({ run_id, call_id, thought, from, text, held_up = '' }: Delta): void {
  if (call_id === null) heldUp.set(run_id, held_up)
  const words = call_id === null && thought === undefined
  const key = words ? run_id : `${run_id} ${call_id ?? 'thoughts'}`
  const known = drafts.get(key) ?? { start: from, text: '' }
  const follows = from >= known.start && from <= known.start + known.text.length
  const [start, whole] = follows ? [known.start, known.text.slice(0, from - known.start) + text] : [from, text]
  const kept = words ? whole : whole.slice(-OUTPUT_KEPT_CHARS)
  drafts.set(key, { start: start + whole.length - kept.length, text: kept })
  for (const watcher of watchers) watcher()
}

function setConnected(now: boolean): void {
  if (connected === now) return
  connected = now
  for (const watcher of watchers) watcher()
}

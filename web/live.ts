import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { RouteName } from '../src/api/routes.ts'
import { token } from './token.ts'

interface LogLine {
  seq: number
  topic: string
  subject: string
  data: { thread_id?: string } | null
}

interface Delta {
  thread_id: string
  text: string
}

/** Which routes show records of a topic; a topic not named here concerns no screen that is kept. */
const shownBy: Record<string, readonly RouteName[]> = {
  chats: ['listChats', 'getChat'],
  entries: ['getChat'],
  runs: ['listChats', 'getChat', 'listNeeds'],
  plans: ['getChat', 'listNeeds'],
  questions: ['getChat', 'listChats', 'listNeeds'],
}

const REFRESH_EVERY_MS = 60
const RETRY_MS = 1000

/** Follows the log for as long as the page is open: what changed is refreshed, what is being said is shown as it comes. */
export async function followLog(queries: QueryClient, signal: AbortSignal): Promise<void> {
  const stale = new Set<string>()
  let after: number | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const refresh = () => {
    timer = null
    for (const name of stale) void queries.invalidateQueries({ queryKey: [name] })
    stale.clear()
  }
  while (!signal.aborted) {
    try {
      for await (const event of serverEvents(after, signal)) {
        if (event.name === 'live') addDelta(JSON.parse(event.data) as Delta) // sent by our own server
        if (event.name !== 'log') continue
        const line = JSON.parse(event.data) as LogLine // as above
        after = line.seq
        if (line.topic === 'entries' && line.data?.thread_id) dropDelta(line.data.thread_id)
        for (const name of shownBy[line.topic] ?? []) stale.add(name)
        timer ??= setTimeout(refresh, REFRESH_EVERY_MS)
      }
    } catch {
      // The server stopped or the network broke: we come back at the line we had, so nothing is missed or shown twice.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    void queries.invalidateQueries()
  }
}

/** `EventSource` cannot send the token as a header, and a token in an address ends up in logs; so the stream is read by hand. */
async function* serverEvents(after: number | null, signal: AbortSignal) {
  const response = await fetch(`/api/events${after === null ? '' : `?after=${after}`}`, {
    headers: { authorization: `Bearer ${token() ?? ''}` },
    signal,
  })
  if (!response.ok || response.body === null) throw new Error(`events answered ${response.status}`)
  let pending = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    pending += chunk
    const blocks = pending.split('\n\n')
    pending = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const name =
        lines
          .find((line) => line.startsWith('event:'))
          ?.slice(6)
          .trim() ?? 'message'
      const data = lines
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n')
      if (data !== '') yield { name, data }
    }
  }
}

const drafts = new Map<string, string>()
const watchers = new Set<() => void>()

/** What a model is saying at this moment in a thread, before its reply is stored; empty when it is silent. */
export function useDraft(threadId: string): string {
  return useSyncExternalStore(watchDrafts, () => drafts.get(threadId) ?? '')
}

function watchDrafts(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

function addDelta(delta: Delta): void {
  drafts.set(delta.thread_id, (drafts.get(delta.thread_id) ?? '') + delta.text)
  for (const watcher of watchers) watcher()
}

function dropDelta(threadId: string): void {
  if (!drafts.delete(threadId)) return
  for (const watcher of watchers) watcher()
}

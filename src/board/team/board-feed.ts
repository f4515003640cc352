import type { BoardAction } from '../../domain/board/event.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { readActivity, type ActivityLine } from '../activity.ts'
import type { BoardRef } from '../context.ts'

/** What happens on a board, told once per process to everyone in it. */
export interface BoardFeed {
  /** The number of the last line that was told. Take it before you look for work, so that nothing said meanwhile is missed. */
  seen(): number
  /** Comes back when something that is not ignored was said after `seen`, when the time is up, or when the signal ends. */
  wait(seen: number, ms: number, signal: AbortSignal, ignored?: readonly string[]): Promise<void>
  listen(listener: (lines: readonly ActivityLine[]) => void): () => void
  /** Tells what was said up to now. */
  catchUp(): Promise<void>
  stop(): void
}

const BATCH = 500

/** A burst of commits is read once. */
const SOON_MS = 10

/** As many lines are kept for anyone who was busy while they were told; who missed more looks anyway. */
const KEPT = 100

/** Follows the activity of a board from now on, whichever process acts. Idle, it costs nothing but the store's own watching. */
export async function openBoardFeed({ driver, board_id }: BoardRef): Promise<BoardFeed> {
  const listeners = new Set<(lines: readonly ActivityLine[]) => void>()
  let seen = (await readActivity(driver, board_id, { limit: 1 })).at(-1)?.seq ?? 0
  let recent: ActivityLine[] = []
  let reading: Promise<void> | undefined
  let rung = false

  function read(): Promise<void> {
    rung = true
    return (reading ??= readOn())
  }

  async function readOn(): Promise<void> {
    while (rung) {
      await sleep(SOON_MS)
      rung = false
      const lines = await readActivity(driver, board_id, { after: seen, limit: BATCH }).catch(() => []) // a store that is away rings again when it is back
      if (lines.length === 0) continue
      seen = lines.at(-1)?.seq ?? seen
      recent = [...recent, ...lines].slice(-KEPT)
      for (const listener of listeners) listener(lines)
    }
    reading = undefined
  }

  function hasNews(from: number, ignored: readonly BoardAction[]): boolean {
    const missed = (recent[0]?.seq ?? 0) > from && recent.length === KEPT
    return missed || recent.some(({ seq, action }) => seq > from && !ignored.includes(action))
  }

  async function wait(from: number, ms: number, signal: AbortSignal, ignored: readonly BoardAction[] = []): Promise<void> {
    if (signal.aborted || hasNews(from, ignored)) return
    const news = Promise.withResolvers<void>()
    const stopListening = listen((lines) => lines.some(({ action }) => !ignored.includes(action)) && news.resolve())
    const timer = setTimeout(news.resolve, ms)
    const onAbort = () => news.resolve()
    signal.addEventListener('abort', onAbort)
    await news.promise
    clearTimeout(timer)
    stopListening()
    signal.removeEventListener('abort', onAbort)
  }

  function listen(listener: (lines: readonly ActivityLine[]) => void): () => void {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  return { seen: () => seen, wait, listen, catchUp: read, stop: driver.onAppend(() => void read()) }
}

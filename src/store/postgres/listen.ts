import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { LOG_CHANNEL } from './names.ts'

const RECONNECT_MS = 500

/** Tells listeners of new log lines by PostgreSQL's own notification, on a connection kept for nothing else. */
export function listenForAppends(config: ClientConfig) {
  const listeners = new Set<() => void>()
  let listening: AbortController | undefined

  function announce(): void {
    for (const listener of listeners) listener()
  }

  function stop(): void {
    listeners.clear()
    listening?.abort()
    listening = undefined
  }

  function onAppend(listener: () => void): () => void {
    const own = () => listener() // the same function may listen twice
    listeners.add(own)
    if (listening === undefined) {
      listening = new AbortController()
      void keepListening(config, announce, listening.signal)
    }
    return () => {
      listeners.delete(own)
      if (listeners.size === 0) stop()
    }
  }

  return { onAppend, stop }
}

/** Never rejects: while PostgreSQL is away it tries again, and what was missed meanwhile is announced as soon as it is back. */
async function keepListening(config: ClientConfig, announce: () => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const client = new Client(config)
    client.on('error', () => undefined) // the end that follows is what we wait for
    client.on('notification', announce)
    try {
      const ended = once(client, 'end', { signal })
      ended.catch(() => undefined) // stopped while still connecting: nobody waits for the end yet
      await client.connect()
      await client.query(`listen ${LOG_CHANNEL}`)
      announce()
      await ended
    } catch {
      // Refused or stopped; the loop decides which.
    }
    await client.end().catch(() => undefined)
    if (!signal.aborted) await sleep(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
  }
}

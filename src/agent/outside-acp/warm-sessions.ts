import { atEnd } from '../../sandbox/process/at-end.ts'
import type { AgentSession } from './session.ts'

interface Warm {
  session: AgentSession
  timer?: NodeJS.Timeout
}

/** Agents that wait for their next prompt, by what they may do and on which thread. */
const warm = new Map<string, Warm>()

/** So long an agent waits for another prompt; for a person who has still to answer it, longer. */
const IDLE_MS = 10 * 60_000
const ASKING_MS = 4 * 60 * 60_000

/** Each is a whole program in memory. */
const MOST = 8

/** Takes the session of a key, if one is open. Whoever takes it keeps it again, or closes it. */
export function takeSession(key: string): AgentSession | null {
  const found = warm.get(key)
  warm.delete(key)
  clearTimeout(found?.timer)
  return found?.session.isOpen() === true ? found.session : null
}

/** Keeps a session open for the next prompt; the one that waits longest makes room. */
export async function keepSession(key: string, session: AgentSession): Promise<void> {
  if (!session.isOpen()) return session.close()
  const kept: Warm = { session }
  warm.set(key, kept)
  kept.timer = setTimeout(() => void closeSession(key, session), session.open.size > 0 ? ASKING_MS : IDLE_MS).unref()
  atEnd(() => closeSession(key, session))
  const [oldest] = warm
  if (warm.size > MOST && oldest !== undefined) await closeSession(oldest[0], oldest[1].session)
}

async function closeSession(key: string, session: AgentSession): Promise<void> {
  if (warm.get(key)?.session === session) takeSession(key)
  await session.close()
}

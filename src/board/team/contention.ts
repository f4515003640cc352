import { setTimeout as sleep } from 'node:timers/promises'
import { asProblem } from '../../domain/problem.ts'
import { sayActivity } from '../activity.ts'
import type { Seat } from './seat.ts'

const TRIES = 3

/** Tries to claim something, at most three times, each failure logged and followed by a random wait. */
export async function claimPatiently<T>(seat: Seat, claim: () => Promise<T>): Promise<T | 'claim_failed'> {
  const { desk, pace } = seat.station
  for (let tried = 1; tried <= TRIES; tried++) {
    try {
      return await claim()
    } catch (error) {
      const { code, message } = asProblem(error)
      if (code === 'internal' || code === 'forbidden') throw error
      if (code === 'needs_person') throw error
      const detail = `try ${tried} of ${TRIES}: ${message}`
      await desk.driver.transaction((tx) => sayActivity(tx, desk.board_id, { agent: seat.identity.agent, action: 'claim_failed', detail }))
      const [least, most] = pace.contention_ms
      await sleep(least + Math.random() * (most - least), undefined, { signal: seat.signal }).catch(() => undefined) // its caller looks
      if (seat.signal.aborted) return 'claim_failed'
    }
  }
  return 'claim_failed'
}

import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '../domain/problem.ts'

/** Runs a piece of work when everything that came before it has ended. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** With one connection, an `await` inside a transaction would let another request write into it; so callers take turns. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  const inside = new AsyncLocalStorage<{ open: boolean }>()

  return function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    // Asking for a turn from within a turn would wait for itself for ever.
    if (inside.getStore()?.open === true) {
      return Promise.reject(new Problem('internal', 'inside a transaction use the driver it was given, not the store'))
    }
    const turn = { open: true }
    const mine = last.then(() => inside.run(turn, work)).finally(() => (turn.open = false))
    last = mine.catch(() => undefined) // whoever asked hears of the failure; the next in line need not
    return mine
  }
}

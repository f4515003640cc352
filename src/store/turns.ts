/** Runs a piece of work when everything that came before it has ended. */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>

/** With one connection, an `await` inside a transaction would let another request write into it; so callers take turns. */
export function createTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()

  return function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked hears of the failure; the next in line need not
    return mine
  }
}

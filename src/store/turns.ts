/** With one connection, an `await` inside a transaction would let another request write into it; so callers take turns. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()

  /** Runs a piece of work when everything that came before it has ended. */
  return function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked hears of the failure; the next in line need not
    return mine
  }
}

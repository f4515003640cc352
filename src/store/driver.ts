import type { Problem } from '../domain/problem.ts'

/** A database, seen as the few things the store needs of it. Placeholders are $1, $2, … on both. */
export interface Driver {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs one statement and gives back its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>
  /**
   * All or nothing, one at a time across all processes, and seen by others only when it is done.
   * Inside it use `tx`, never the outer driver; a transaction inside a transaction joins it.
   * Everyone else's writes wait meanwhile: do not wait for a model or a person inside it.
   */
  transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T>
  /** What the store held at one moment, to be read at leisure: nobody waits for it, and it may not write. */
  snapshot<T>(work: (tx: Driver) => Promise<T>): Promise<T>
  /** The store's clock. Leases are judged by it, because the clocks of two machines disagree. */
  now(): Promise<Date>
  /** Calls back soon after any process has appended to the log; gives back the way to stop listening. */
  onAppend(listener: () => void): () => void
  /** Tells the owner of the store of a trouble that did not stop the caller, such as a damaged row left out of a list. */
  warn(problem: Problem): void
  close(): Promise<void>
}

export interface StoreOptions {
  /** Hears of troubles that stopped nobody; by default they become warnings of the process. */
  warn?: (problem: Problem) => void
  /** How long a write waits while others write, before it gives up with `busy`. */
  patienceMs?: number
}

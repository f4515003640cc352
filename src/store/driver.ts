/** A database, seen as the few things the store needs of it. Placeholders are $1, $2, … on both. */
export interface Driver {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs one statement and gives back its rows. */
  query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>
  /** All or nothing. Inside it use `tx`, never the outer driver; a transaction inside a transaction joins it. */
  transaction<T>(work: (tx: Driver) => Promise<T>): Promise<T>
  /** The store's clock. Leases are judged by it, because the clocks of two machines disagree. */
  now(): Promise<Date>
  /** Calls back soon after any process has appended to the log; gives back the way to stop listening. */
  onAppend(listener: () => void): () => void
  close(): Promise<void>
}

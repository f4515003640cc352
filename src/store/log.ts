import type { Driver } from './driver.ts'

/** One line of the append-only log: what happened to which record. Sequence numbers have no gaps. */
export interface LogLine {
  seq: number
  at: string
  topic: string
  subject: string
  data: unknown
}

/** The log as its readers and writers see it. Every add, replace and remove of a collection appends a line by itself. */
export interface Log {
  append(driver: Driver, line: Pick<LogLine, 'topic' | 'subject' | 'data'>): Promise<number>
  read(driver: Driver, after: number, limit?: number): Promise<LogLine[]>
  /** Everything after a line, then whatever is appended by any process, until the signal ends it. */
  tail(driver: Driver, after: number, signal: AbortSignal): AsyncIterable<LogLine>
}

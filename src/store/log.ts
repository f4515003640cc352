import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'
import { mustFind } from './must-find.ts'
import { fromJson, toJson } from './record-json.ts'

/** One line of the append-only log: what happened to which record. Sequence numbers have no gaps. */
export interface LogLine {
  seq: number
  at: string
  topic: string
  subject: string
  data: unknown
}

const BATCH = 500

/** A tail outlives a store that is away for a while, and looks again this often. */
const LOOK_AGAIN_MS = 1_000

/** The log as its readers and writers see it. Every add, replace and remove of a collection appends a line by itself. */
export const log = { append, read, last, tail }

async function append(driver: Driver, line: Pick<LogLine, 'topic' | 'subject' | 'data'>): Promise<void> {
  const sql = 'insert into log (topic, subject, data) values ($1, $2, $3) returning seq'
  const params = [line.topic, line.subject, toJson(line.data)]
  await mustFind(driver, sql, params, () => new Problem('internal', 'the log gave no number to a new line'))
}

async function read(driver: Driver, after: number, limit = BATCH): Promise<LogLine[]> {
  const sql = 'select seq, at, topic, subject, data from log where seq > $1 order by seq limit $2'
  const rows = await driver.query<LogLine & { data: string }>(sql, [after, limit])
  return rows.map((row) => ({ ...row, data: fromJson(row.data) }))
}

/** The number of the newest line, 0 before the first: where to start for "from now on". */
async function last(driver: Driver): Promise<number> {
  const [row] = await driver.query<{ seq: number | null }>('select max(seq) as seq from log')
  return row?.seq ?? 0
}

/** Everything after a line, then whatever is appended by any process, until the signal ends it. */
async function* tail(driver: Driver, after: number, signal: AbortSignal): AsyncGenerator<LogLine> {
  const bell = createBell(driver, signal)
  try {
    let seen = after
    while (!signal.aborted) {
      bell.reset() // before the read: a line appended during it must ring
      const lines = await readOrWarn(driver, seen)
      for (const line of lines ?? []) {
        if (signal.aborted) return
        seen = line.seq
        yield line
      }
      if (lines === undefined) await bell.rung(LOOK_AGAIN_MS)
      if (lines?.length === 0) await bell.rung()
    }
  } finally {
    bell.stop()
  }
}

/** A store that is away gives nothing, and is reported; anything else ends the tail. */
async function readOrWarn(driver: Driver, after: number): Promise<LogLine[] | undefined> {
  try {
    return await read(driver, after)
  } catch (error) {
    if (!(error instanceof Problem) || !error.retryable) throw error
    driver.warn(error)
    return undefined
  }
}

/** Rings when something was appended, or when there is no more reason to wait. */
function createBell(driver: Driver, signal: AbortSignal) {
  let bell = Promise.withResolvers<void>()
  const ring = () => bell.resolve()
  const stopListening = driver.onAppend(ring)
  signal.addEventListener('abort', ring)

  async function rung(atMostMs?: number): Promise<void> {
    const timer = atMostMs === undefined ? undefined : setTimeout(ring, atMostMs)
    await bell.promise
    clearTimeout(timer)
  }

  function stop(): void {
    stopListening()
    signal.removeEventListener('abort', ring)
  }

  return { reset: () => (bell = Promise.withResolvers<void>()), rung, stop }
}

import { messageOf, Problem } from '../../domain/problem.ts'

const BUSY = 5
const LOCKED = 6
const CONSTRAINT = 19

/** What SQLite's result codes mean to the person whose disk it is. */
const meanings: Record<number, string> = {
  8: 'cannot be written: the file or its disk is read-only',
  10: 'cannot be read or written: its disk reported an error, as one does that is full or failing',
  11: 'is damaged; move it away and restore a copy',
  13: 'cannot grow: its disk is full; nothing of this change was written',
  14: 'cannot be opened: its folder is missing, is not a folder or may not be used by this account',
  26: 'is not a SQLite database; name another file or move this one away',
}

/** Someone else is writing at this moment: worth another try. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error)
  return code === BUSY || code === LOCKED
}

/** An error of SQLite in words that name the file; any other error as it is. */
export function sqliteProblem(error: unknown, file: string): unknown {
  const code = resultCode(error)
  if (code === undefined) return error
  const message = messageOf(error)
  const details = { store: `sqlite:${file}`, reason: message }
  if (isBusy(error)) return new Problem('busy', `the store ${file} stayed locked by another process`, { details, cause: error })
  if (code === CONSTRAINT) return new Problem('conflict', `the store already holds such a record: ${message}`, { details, cause: error })
  const meaning = meanings[code]
  if (meaning === undefined) return new Problem('internal', `the store ${file} refused a statement: ${message}`, { details, cause: error })
  return new Problem('store_failed', `the store ${file} ${meaning}`, { details, cause: error })
}

/** The primary result code; SQLite puts the finer reason into the higher bits. */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

import { DatabaseError } from 'pg'
import { Problem } from '../../domain/problem.ts'

/** What PostgreSQL's error codes mean to the person who runs it; looked up by the whole code, then by its class. */
const meanings: Record<string, string> = {
  '08': 'cannot be reached',
  '25006': 'is read-only at the moment',
  '28': 'did not accept this user or password',
  '3D000': 'has no such database; create it first',
  '42501': 'does not allow this user to do that',
  '53100': 'has no disk space left; nothing of this change was written',
  '53': 'is out of resources',
  '57P01': 'is shutting down',
  '57P02': 'has crashed and is starting again',
  '57P03': 'is starting up',
  '58': 'reports an error of its disk',
  XX: 'reports damage in its files',
}

/** Two writers met and PostgreSQL took one back: it may simply try again. */
export function isSerializationFailure(problem: unknown): boolean {
  const source = problem instanceof Problem ? problem.cause : problem
  return source instanceof DatabaseError && (source.code === '40001' || source.code === '40P01')
}

/** An error of PostgreSQL, or of the way to it, in words that name the store. */
export function postgresProblem(error: unknown, store: string): Problem {
  const reason = error instanceof Error ? error.message || error.name : String(error)
  const more = { details: { store, reason }, cause: error }
  if (!(error instanceof DatabaseError)) {
    const message = `the store ${store} cannot be reached (${reasonOf(error)}); a change that was under way may or may not be written`
    return new Problem('store_failed', message, more)
  }
  const code = error.code ?? ''
  if (code === '23505') return new Problem('conflict', `the store already holds such a record: ${error.detail ?? reason}`, more)
  if (code === '55P03' || isSerializationFailure(error))
    return new Problem('busy', `the store ${store} stayed locked by another process`, more)
  const meaning = meanings[code] ?? meanings[code.slice(0, 2)]
  if (meaning === undefined) return new Problem('internal', `the store ${store} refused a statement: ${reason}`, more)
  return new Problem('store_failed', `the store ${store} ${meaning} (${reason})`, more)
}

/** Node tries every address of a name, and then has an empty message of its own with the real ones inside. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

import { createContext, runInContext } from 'node:vm'
import { Problem } from '../../domain/problem.ts'

/** A rule may take this long; a pattern that needs more is refused, not waited for. */
const RULE_MS = 500

/**
 * Runs synchronous work of a rule and ends it after a time. An author's pattern such as (a+)+$ can take longer than the universe has;
 * the engine's own interrupt is the only thing that reaches into a running match.
 */
export function withinTime<T>(work: () => T, what: string): T {
  try {
    return runInContext('work()', createContext({ work }), { timeout: RULE_MS }) as T // what the work came to
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new Problem('bad_input', `${what} took longer than ${RULE_MS} ms and was stopped; write it without nested repetition`)
  }
}

/** The error belongs to the other context, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

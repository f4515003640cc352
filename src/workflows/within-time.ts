import { createContext, runInContext } from 'node:vm'
import { Problem } from '../domain/problem.ts'

/** A rule may take this long; a pattern that needs more is refused, not waited for. */
export const RULE_MS = 500

/**
 * Runs synchronous work and ends it after a time. An author's pattern such as (a+)+$ can take longer than the universe has;
 * the engine's own interrupt is the only thing that reaches into a running match.
 */
export function withinTime<T>(work: () => T, ms: number, what: string): T {
  const box: { work: () => void; result?: { value: T } } = {
    work: () => {
      box.result = { value: work() }
    },
  }
  try {
    runInContext('work()', createContext(box), { timeout: ms })
  } catch (error) {
    if (!isTimeout(error)) throw error
    throw new Problem('bad_input', `${what} took longer than ${ms} ms and was stopped; write it without nested repetition`)
  }
  if (box.result === undefined) throw new Problem('internal', `${what} ended without a result`)
  return box.result.value
}

/** The error belongs to the other context, so it is no instance of our Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
}

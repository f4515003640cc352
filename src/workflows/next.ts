import { Problem } from '../domain/problem.ts'
import { isDeeper, MAX_DEPTH } from '../domain/text/unknown-value.ts'
import { answerOf, type NextAnswer, describeDecision } from '../domain/workflow/answer.ts'
import type { Context } from '../domain/workflow/condition.ts'
import { decideNext } from '../domain/workflow/next.ts'
import type { Workflow } from '../domain/workflow/workflow.ts'

/** More context than this is a mistake: it is sent with every call. */
const MAX_CONTEXT_BYTES = 256 * 1024

/** The stateless question: what was done and what is known in, what comes next out. */
export function nextStep(workflow: Workflow, completedSteps: readonly string[], context: Context): NextAnswer {
  checkContextSize(context)
  return answerOf(workflow, describeDecision(decideNext(workflow, completedSteps, context), context))
}

/** Refuses a context that is too large or too deep to be sent around and kept, with its size. */
export function checkContextSize(context: Context): void {
  if (isDeeper(context)) throw tooLarge('is nested deeper', `than ${MAX_DEPTH} levels; flatten it`, `at most ${MAX_DEPTH} levels`)
  const bytes = Buffer.byteLength(JSON.stringify(context))
  if (bytes <= MAX_CONTEXT_BYTES) return
  const allowed = `at most ${MAX_CONTEXT_BYTES}`
  throw tooLarge(`is ${bytes} bytes`, `of JSON; ${allowed} are taken: send only what conditions test`, `${allowed} bytes`)
}

function tooLarge(got: string, more: string, expected: string): Problem {
  return new Problem('too_large', `context ${got} ${more}`, { details: { field: 'context', got, expected } })
}

import { Problem } from '../domain/problem.ts'
import { answerOf, type NextAnswer, tell } from '../domain/workflow-answer.ts'
import type { Context } from '../domain/workflow-condition.ts'
import { decideNext } from '../domain/workflow-next.ts'
import type { Workflow } from '../domain/workflow.ts'

/** More context than this is a mistake: it is sent with every call. */
const MAX_CONTEXT_BYTES = 256 * 1024

/** The stateless question: what was done and what is known in, what comes next out. */
export function nextStep(workflow: Workflow, completedSteps: readonly string[], context: Context): NextAnswer {
  checkContextSize(context)
  return answerOf(workflow, tell(decideNext(workflow, completedSteps, context)))
}

/** Refuses a context that is too large to be sent around, with its size. */
export function checkContextSize(context: Context): void {
  const bytes = Buffer.byteLength(asJson(context))
  if (bytes <= MAX_CONTEXT_BYTES) return
  throw new Problem(
    'too_large',
    `context is ${bytes} bytes of JSON; at most ${MAX_CONTEXT_BYTES} are taken: send only what conditions test`,
    {
      details: { field: 'context', got: `${bytes} bytes`, expected: `at most ${MAX_CONTEXT_BYTES} bytes` },
    },
  )
}

function asJson(context: Context): string {
  try {
    return JSON.stringify(context)
  } catch (error) {
    throw new Problem('too_large', 'context is nested too deeply to be read; flatten it', { cause: error })
  }
}

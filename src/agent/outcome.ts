import type * as z from 'zod'
import { jsonObjectsIn } from '../domain/json-in-text.ts'
import { PlanContent } from '../domain/plan.ts'
import { QuestionContent } from '../domain/question.ts'
import type { Mode } from '../domain/role.ts'
import { isRecord } from '../domain/unknown-value.ts'
import { misfits } from '../domain/fitting.ts'

/** What the last reply of a run amounts to. `unparsed` says why something that looked like a plan or a question is only text. */
export type Outcome =
  | { type: 'plan'; plan: PlanContent }
  | { type: 'question'; question: QuestionContent }
  | { type: 'text'; unparsed: string | null }

/** Reads a reply: in Plan mode it may be a plan, in Act mode a question; the last block that fits counts, anything else is text. */
export function outcomeOf(text: string, mode: Mode): Outcome {
  const objects = jsonObjectsIn(text)
    .map((found) => found.value)
    .toReversed()
  if (mode === 'plan') {
    const plan = firstThatFits(PlanContent, objects)
    return plan ? { type: 'plan', plan } : { type: 'text', unparsed: whyNoPlan(objects) }
  }
  const question = firstThatFits(QuestionContent, objects)
  return question ? { type: 'question', question } : { type: 'text', unparsed: whyNoQuestion(objects) }
}

function firstThatFits<T>(schema: z.ZodType<T>, objects: readonly unknown[]): T | null {
  for (const object of objects) {
    const parsed = schema.safeParse(object)
    if (parsed.success) return parsed.data
  }
  return null
}

function whyNoPlan(objects: readonly unknown[]): string | null {
  const meant = objects.find(looksLikePlan)
  if (meant) return `not a plan: ${faults(PlanContent, meant)}`
  if (firstThatFits(QuestionContent, objects)) return 'a question in Plan mode is a message: only a role in Act mode stops for an answer'
  return null
}

function whyNoQuestion(objects: readonly unknown[]): string | null {
  const meant = objects.find(looksLikeQuestion)
  if (meant) return `not a question: ${faults(QuestionContent, meant)}`
  if (firstThatFits(PlanContent, objects)) return 'a plan in Act mode is a message: only a role in Plan mode proposes one'
  return null
}

function looksLikePlan(object: unknown): boolean {
  return isRecord(object) && ('goal' in object || 'steps' in object)
}

function looksLikeQuestion(object: unknown): boolean {
  return isRecord(object) && ('question' in object || object['type'] === 'question')
}

function faults(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value)
  return error === undefined ? '' : misfits(error).join('; ')
}

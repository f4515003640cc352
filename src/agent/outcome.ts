import type * as z from 'zod'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { jsonObjectsIn } from '../domain/text/json-in-text.ts'
import { PlanContent } from '../domain/plan.ts'
import { AskedQuestion, type QuestionContent } from '../domain/question.ts'
import type { Mode } from '../domain/role.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import { misfits } from '../domain/text/fitting.ts'

/** Something that stands in a reply, and which of the JSON objects in its text it is. */
export interface Found<Content> {
  content: Content
  nth: number
}

/** What the last reply of a run amounts to. `unparsed` says why something that looked like a plan or a question is only text. */
export type ReplyOutcome =
  | { type: 'plan'; plans: Found<PlanContent>[] }
  | { type: 'question'; questions: Found<QuestionContent>[] }
  | { type: 'text'; unparsed: string | null }

/** Reads a reply: in Plan mode it may hold plans, in Act mode questions; each block that fits counts, anything else is text. */
export function readOutcome(text: string, mode: Mode): ReplyOutcome {
  const found = jsonObjectsIn(text).map(({ value }, nth) => ({ content: value, nth }))
  const objects = found.map(({ content }) => content).toReversed()
  if (mode === 'plan') {
    const plans = allThatFit(
      PlanContent,
      found.map(({ content, nth }) => ({ content: numbered(content), nth })),
    )
    return plans.length > 0 ? { type: 'plan', plans } : { type: 'text', unparsed: whyNoPlan(objects) }
  }
  const questions = allThatFit(AskedQuestion, found)
  return questions.length > 0 ? { type: 'question', questions } : { type: 'text', unparsed: whyNoQuestion(objects) }
}

/** Each block that fits, once: a model that repeats itself word for word proposes one thing. */
function allThatFit<T>(schema: z.ZodType<T>, found: readonly Found<unknown>[]): Found<T>[] {
  const fitting = new Map<string, Found<T>>()
  for (const { content, nth } of found) {
    const parsed = schema.safeParse(content)
    if (!parsed.success) continue
    const key = canonicalJson(parsed.data)
    if (!fitting.has(key)) fitting.set(key, { content: parsed.data, nth })
  }
  return [...fitting.values()]
}

/** A goal and steps make a plan: steps that have no number, or share one, are counted from the first. */
function numbered(object: unknown): unknown {
  if (!isRecord(object) || !Array.isArray(object['steps'])) return object
  const steps: unknown[] = object['steps']
  const numbers = steps.map((step) => (isRecord(step) ? step['step_number'] : undefined))
  if (!numbers.includes(undefined) && new Set(numbers).size === steps.length) return object
  return { ...object, steps: steps.map((step, at) => (isRecord(step) ? { ...step, step_number: at + 1 } : step)) }
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
  if (firstThatFits(AskedQuestion, objects)) return 'a question in Plan mode is a message: only a role in Act mode stops for an answer'
  return null
}

function whyNoQuestion(objects: readonly unknown[]): string | null {
  const meant = objects.find(looksLikeQuestion)
  if (meant) return `not a question: ${faults(AskedQuestion, meant)}`
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
  return misfits(schema, value).join('; ')
}

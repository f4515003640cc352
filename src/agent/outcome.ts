import JSON5 from 'json5'
import type * as z from 'zod'
import { PlanContent } from '../domain/plan.ts'
import { AskedQuestion, type QuestionContent } from '../domain/question.ts'
import type { Mode } from '../domain/role.ts'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { misfits } from '../domain/text/schema-error.ts'
import { jsonObjectsIn, parsedJson, type Span } from '../domain/text/json-in-text.ts'
import { isRecord } from '../domain/text/unknown-value.ts'
import { repairedPlan, repairedQuestion } from './repair.ts'

/** A plan or a question in a reply, and where. */
export interface Found<Content> extends Span {
  content: Content
}

/**
 * What the last reply of a run amounts to. `unparsed` says why something that looked like a plan or a question is only text;
 * `certain`: it was surely meant as one, so it must not pass as an answer.
 */
export type ReplyOutcome =
  | { type: 'plan'; plans: Found<PlanContent>[] }
  | { type: 'question'; questions: Found<QuestionContent>[] }
  | { type: 'text'; unparsed: string | null; meant: 'plan' | 'question' | null; certain: boolean }

/** JSON5 is read letter by letter: so many letters of what is not JSON are tried in one reply. */
const LOOSE_AT_MOST = 1_000_000

/** Reads a reply: in Plan mode it may hold plans, in Act mode questions; each block that fits counts, anything else is text. */
export function readOutcome(text: string, mode: Mode): ReplyOutcome {
  const found = jsonObjectsIn(text, looseReader()).flatMap(unwrapped)
  if (mode === 'plan') {
    const plans = allThatFit(PlanContent, found, repairedPlan)
    return plans.length > 0 ? { type: 'plan', plans } : whyNoPlan(text, found)
  }
  const questions = allThatFit(AskedQuestion, found.filter(looksLikeQuestion), repairedQuestion)
  return questions.length > 0 ? { type: 'question', questions } : whyNoQuestion(text, found)
}

/** Reads JSON, and what only comments, single quotes, bare keys or a comma too many keep from being it where it may be a plan or a question. */
function looseReader(): (text: string) => unknown {
  let left = LOOSE_AT_MOST
  return (text) => {
    const strict = parsedJson(text)
    if (strict !== undefined || text.length > left || !/goal|steps|question/i.test(text)) return strict
    left -= text.length
    try {
      const value: unknown = JSON5.parse(text)
      return value
    } catch {
      return undefined // it is prose, or so broken that nobody could be sure
    }
  }
}

/** What a block holds that wraps a plan or a question: {"plan": {…}}, {"questions": [{…}, {…}]}. */
function unwrapped({ content, value, start, end }: Span & { content?: unknown; value?: unknown }): Found<unknown>[] {
  const object = content ?? value
  if (isRecord(object) && !isPlanLike(object) && !isQuestionLike(object)) {
    const inner = ['plan', 'plans', 'question', 'questions'].flatMap((key) => object[key] ?? [])
    if (inner.length > 0 && inner.every((one) => isPlanLike(one) || isQuestionLike(one)))
      return inner.map((one) => ({ content: one, start, end }))
  }
  return [{ content: object, start, end }]
}

/** Each block that fits, once: a model that repeats itself word for word proposes one thing. */
function allThatFit<T>(schema: z.ZodType<T>, found: readonly Found<unknown>[], repaired: (value: unknown) => unknown): Found<T>[] {
  const fitting = new Map<string, Found<T>>()
  for (const { content, start, end } of found) {
    const parsed = schema.safeParse(repaired(content))
    if (!parsed.success) continue
    const key = canonicalJson(parsed.data)
    if (!fitting.has(key)) fitting.set(key, { content: parsed.data, start, end })
  }
  return [...fitting.values()]
}

function whyNoPlan(text: string, found: readonly Found<unknown>[]): ReplyOutcome {
  const meant = found.findLast(looksLikePlan)
  if (meant) return unreadable('plan', misfits(PlanContent, repairedPlan(meant.content)).join('; '))
  if (/[{,][\s>]*["']?(?:goal|steps)["']?\s*:/.test(text)) return unreadable('plan', whyBroken(text))
  const isQuestion = allThatFit(AskedQuestion, found.filter(looksLikeQuestion), repairedQuestion).length > 0
  return plainText(isQuestion ? 'a question in Plan mode is a message: only a role in Act mode stops for an answer' : null)
}

function whyNoQuestion(text: string, found: readonly Found<unknown>[]): ReplyOutcome {
  const meant = found.findLast(looksLikeQuestion)
  if (meant) {
    const certain = isRecord(meant.content) && 'type' in meant.content
    return unreadable('question', misfits(AskedQuestion, repairedQuestion(meant.content)).join('; '), certain)
  }
  if (/[{,][\s>]*["']?type["']?\s*:\s*["']question["']/i.test(text)) return unreadable('question', whyBroken(text))
  const isPlan = allThatFit(PlanContent, found, repairedPlan).length > 0
  return plainText(isPlan ? 'a plan in Act mode is a message: only a role in Plan mode proposes one' : null)
}

function plainText(unparsed: string | null): ReplyOutcome {
  return { type: 'text', unparsed, meant: null, certain: false }
}

function unreadable(meant: 'plan' | 'question', why: string, certain = true): ReplyOutcome {
  return { type: 'text', unparsed: `not a ${meant}: ${why}`, meant, certain }
}

/** Where the JSON of a reply breaks off, or breaks. */
function whyBroken(text: string): string {
  try {
    JSON5.parse(text.slice(text.indexOf('{')).replace(/```[^]*$/, ''))
    return 'it is quoted, or mixed with other text'
  } catch (error) {
    return `it cannot be read as JSON (${error instanceof Error ? error.message.replace(/^JSON5: /, '') : String(error)})`
  }
}

function looksLikePlan({ content }: Found<unknown>): boolean {
  return isPlanLike(content)
}

function looksLikeQuestion({ content }: Found<unknown>): boolean {
  return isQuestionLike(content)
}

function isPlanLike(object: unknown): boolean {
  return isRecord(object) && ('goal' in object || 'steps' in object)
}

function isQuestionLike(object: unknown): boolean {
  if (!isRecord(object) || typeof object['question'] === 'object') return false
  return String(object['type']).toLowerCase() === 'question' || ('question' in object && 'options' in object)
}

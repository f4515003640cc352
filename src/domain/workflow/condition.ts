import * as z from 'zod'
import { canonicalJson } from '../text/canonical-json.ts'
import { quoted } from '../text/unknown-value.ts'

/** A test on the context. Every part that is present must hold; `{}` always holds. */
export type Condition = z.infer<typeof Condition>
export const Condition = z
  .strictObject({
    var: z.string().min(1).optional(),
    equals: z.unknown().optional(),
    not_equals: z.unknown().optional(),
    gt: z.number().optional(),
    gte: z.number().optional(),
    lt: z.number().optional(),
    lte: z.number().optional(),
    get and() {
      return z.array(Condition).optional()
    },
    get or() {
      return z.array(Condition).optional()
    },
    get not() {
      return Condition.optional()
    },
  })
  .meta({ id: 'Condition', description: 'A test on context variables. Every part that is present must hold.' })

export type Context = Readonly<Record<string, unknown>>

/** What a condition came to. `unknown` names the variables whose values would settle it: a missing value is not a false one. */
export interface Judgement {
  holds: boolean | 'unknown'
  missing: readonly string[]
  why: string
}

/** Judges a condition in three values, so that a forgotten variable can never look like a reason to skip a step. */
export function judgeCondition(condition: Condition | undefined, context: Context): Judgement {
  if (condition === undefined) return always
  const parts = [
    ...(condition.var === undefined ? [] : judgeVariable(condition.var, condition, context)),
    ...(condition.and === undefined ? [] : [every(condition.and.map((part) => judgeCondition(part, context)))]),
    ...(condition.or === undefined ? [] : [some(condition.or.map((part) => judgeCondition(part, context)))]),
    ...(condition.not === undefined ? [] : [negate(judgeCondition(condition.not, context))]),
  ]
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : every(parts)
}

/** The operators that compare one variable, in the order they are tried and told. */
export const comparisons = ['equals', 'not_equals', 'gt', 'gte', 'lt', 'lte'] as const

const always: Judgement = { holds: true, missing: [], why: 'no condition' }

// oxfmt-ignore
const compare: Record<(typeof comparisons)[number], { sign: string; test: (value: unknown, wanted: unknown) => boolean }> = {
  equals:     { sign: '=',  test: same },
  not_equals: { sign: '≠',  test: (value, wanted) => !same(value, wanted) },
  gt:         { sign: '>',  test: ordered((value, wanted) => value > wanted) },
  gte:        { sign: '≥',  test: ordered((value, wanted) => value >= wanted) },
  lt:         { sign: '<',  test: ordered((value, wanted) => value < wanted) },
  lte:        { sign: '≤',  test: ordered((value, wanted) => value <= wanted) },
}

function judgeVariable(name: string, condition: Condition, context: Context): Judgement[] {
  if (!Object.hasOwn(context, name)) return [{ holds: 'unknown', missing: [name], why: `${name} is not in the context` }]
  const value = context[name]
  const asked = comparisons.filter((operator) => condition[operator] !== undefined)
  if (asked.length === 0) return [{ holds: Boolean(value), missing: [], why: `${name} is ${quoted(value)}` }]
  return asked.map((operator) => {
    const wanted = condition[operator]
    const why = `${name} is ${quoted(value)}, tested ${compare[operator].sign} ${quoted(wanted)}`
    if (isNearMiss(value, wanted)) {
      return { holds: 'unknown', missing: [name], why: `${why}: they differ only in case or spaces; send ${name} exactly as it is meant` }
    }
    return { holds: compare[operator].test(value, wanted), missing: [], why }
  })
}

function every(parts: readonly Judgement[]): Judgement {
  const failed = parts.filter((part) => part.holds === false)
  if (failed.length > 0) return { holds: false, missing: [], why: list(failed, ' and ') }
  const open = parts.filter((part) => part.holds === 'unknown')
  if (open.length > 0) return { holds: 'unknown', missing: open.flatMap((part) => part.missing), why: list(open, ' and ') }
  return parts.length === 0 ? always : { holds: true, missing: [], why: list(parts, ' and ') }
}

function some(parts: readonly Judgement[]): Judgement {
  const held = parts.filter((part) => part.holds === true)
  if (held.length > 0) return { holds: true, missing: [], why: list(held, ' or ') }
  const open = parts.filter((part) => part.holds === 'unknown')
  if (open.length > 0) return { holds: 'unknown', missing: open.flatMap((part) => part.missing), why: list(open, ' or ') }
  return { holds: false, missing: [], why: parts.length === 0 ? 'an empty "or" never holds' : list(parts, ' and ') }
}

function negate(part: Judgement): Judgement {
  if (part.holds === 'unknown') return part
  return { holds: !part.holds, missing: [], why: `not (${part.why})` }
}

function list(parts: readonly Judgement[], between: string): string {
  return parts.map((part) => part.why).join(between)
}

function ordered(test: (value: number, wanted: number) => boolean) {
  return (value: unknown, wanted: unknown) => typeof value === 'number' && typeof wanted === 'number' && test(value, wanted)
}

/** JSON equality; the order of keys does not matter. */
function same(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

/** A model writes "large" where the author wrote "Large": nobody can tell whether it meant the same, so it is asked. */
function isNearMiss(value: unknown, wanted: unknown): boolean {
  if (typeof value !== 'string' || typeof wanted !== 'string' || value === wanted) return false
  return value.trim().toLowerCase() === wanted.trim().toLowerCase()
}

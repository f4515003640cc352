import { parsedJson } from '../domain/text/json-in-text.ts'
import { Problem } from '../domain/problem.ts'
import { type Context, judgeCondition } from '../domain/workflow/condition.ts'
import {
  isComposition,
  membersOf,
  patternOf,
  type OutputVerdict,
  type ValidationComposition,
  type ValidationCriteria,
  type ValidationRule,
} from '../domain/workflow/criteria.ts'
import { type CompileSchema, schemaCompiler, whyUnusable } from './output-schema.ts'
import { withinTime } from './play/within-time.ts'

/** Judges an output. Without criteria anything but blank will do. */
export async function validateOutput(criteria: ValidationCriteria | undefined, output: string, context: Context): Promise<OutputVerdict> {
  if (criteria === undefined || (Array.isArray(criteria) && criteria.length === 0)) {
    return verdict(output.trim() === '' ? ['The output is empty.'] : [], ['Say what was done and what came of it.'])
  }
  const whole = Array.isArray(criteria) ? { and: criteria } : criteria
  const check = await checkerFor(whole, output, context)
  const result = checkMember(whole, check)
  return verdict(result.state === 'failed' ? result.issues : [], [
    'Change the output so that every point above is met, then send it again.',
  ])
}

/** `unjudged`: nobody can tell whether the rule holds, so that its opposite is not met either. */
type Result = { state: 'met' | 'skipped' } | { state: 'failed'; issues: string[]; unjudged?: boolean }
type Checker = (rule: ValidationRule) => Result

function verdict(issues: string[], suggestions: string[]): OutputVerdict {
  return { valid: issues.length === 0, issues, suggestions: issues.length === 0 ? [] : suggestions }
}

function checkMember(member: ValidationRule | ValidationComposition, check: Checker): Result {
  if (!isComposition(member)) return check(member)
  if (member.not !== undefined) return negate(checkMember(member.not, check), member.not)
  const results = (member.and ?? member.or ?? []).map((part) => checkMember(part, check)).filter((result) => result.state !== 'skipped')
  if (results.length === 0) return { state: 'skipped' }
  const failed = results.filter((result) => result.state === 'failed')
  const issues = failed.flatMap((result) => result.issues)
  const unjudged = failed.some((result) => result.unjudged)
  if (member.or === undefined) return failed.length === 0 ? { state: 'met' } : { state: 'failed', issues, unjudged }
  if (failed.length < results.length) return { state: 'met' }
  return { state: 'failed', issues: issues.map((issue) => `Either: ${issue}`), unjudged }
}

function negate(result: Result, inner: ValidationRule | ValidationComposition): Result {
  if (result.state === 'skipped') return result
  if (result.state === 'failed') return result.unjudged === true ? result : { state: 'met' }
  return { state: 'failed', issues: messagesIn(inner).map((message) => `Must not hold: ${message}`) }
}

function messagesIn(member: ValidationRule | ValidationComposition): string[] {
  if (!isComposition(member)) return [member.message || fallback(member)]
  return membersOf(member).flatMap(messagesIn)
}

async function checkerFor(criteria: ValidationComposition, output: string, context: Context): Promise<Checker> {
  const compile = usesSchema(criteria) ? await schemaCompiler() : null
  return (rule) => {
    const { holds, missing } = judgeCondition(rule.condition, context)
    if (holds === false) return { state: 'skipped' }
    if (holds === 'unknown') {
      return {
        state: 'failed',
        issues: [`Send ${missing.join(', ')} in context; without it nobody can tell whether this applies: ${rule.message}`],
        unjudged: true,
      }
    }
    return withinTime(() => judged(rule, output, compile), `the ${rule.type} rule "${rule.message}"`)
  }
}

function judged(rule: ValidationRule, output: string, compile: CompileSchema | null): Result {
  const told = rule.message || fallback(rule)
  if (rule.type === 'contains') return metIf(output.includes(rule.value ?? ''), told)
  if (rule.type === 'regex') return metIf(patternOf(rule).test(output), told)
  if (rule.type === 'length') return metIf(output.length >= (rule.min ?? 0) && output.length <= (rule.max ?? Infinity), told)
  if (compile === null) throw new Problem('internal', 'a schema rule was met without a schema compiler')
  const parsed = parsedJson(output)
  if (parsed === undefined) return metIf(false, `${told} (the output is not JSON)`)
  try {
    const wrong = compile(rule.schema ?? {})(parsed)
    return metIf(wrong === null, `${told} (${wrong})`)
  } catch (error) {
    return { state: 'failed', issues: [`${told} (its JSON Schema cannot be used: ${whyUnusable(error)})`], unjudged: true }
  }
}

function metIf(holds: boolean, issue: string): Result {
  return holds ? { state: 'met' } : { state: 'failed', issues: [issue] }
}

function fallback(rule: ValidationRule): string {
  if (rule.type === 'contains') return `The output must contain "${rule.value}".`
  if (rule.type === 'regex') return `The output must match /${rule.pattern}/${rule.flags ?? ''}.`
  if (rule.type === 'length') return `The output must have ${rule.min ?? 0} to ${rule.max ?? 'any number of'} characters.`
  return 'The output must fit the JSON Schema of the step.'
}

function usesSchema(member: ValidationRule | ValidationComposition): boolean {
  if (!isComposition(member)) return member.type === 'schema'
  return membersOf(member).some(usesSchema)
}

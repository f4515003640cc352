import * as z from 'zod'
import { closest } from '../domain/text/closest.ts'
import { expectation } from '../domain/text/expectation.ts'
import { quoted, valueAt } from '../domain/text/unknown-value.ts'
import { Condition } from '../domain/workflow/condition.ts'
import { ValidationRule } from '../domain/workflow/criteria.ts'
import { FunctionDefinition, Loop, LoopStep, Step, Workflow } from '../domain/workflow/workflow.ts'
import { show } from '../roles/fault.ts'

/** What does not fit the format: where, what, and what would be right. */
export interface Misfit {
  path: readonly PropertyKey[]
  message: string
  fix?: string
}

/** A refused union says nothing by itself; what its nearest branch says is what the author needs to read. */
export function misfitsOf(issue: z.core.$ZodIssue, whole: unknown): Misfit[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(key, issue.path))
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const [nearest = []] = issue.errors.toSorted((a, b) => deepest(b) - deepest(a))
    return nearest.flatMap((inner) => misfitsOf({ ...inner, path: [...issue.path, ...inner.path] }, whole))
  }
  const found = valueAt(whole, issue.path)
  if (issue.code === 'invalid_union' && 'discriminator' in issue) return [unknownType(issue.path, found)]
  if (issue.path.join('.') === 'version' && typeof found === 'number') {
    const message = `is the number ${found}; expected a text of three numbers`
    return [{ path: issue.path, message, fix: `write "${String(found).split('.')[0]}.0.0", with the quotes` }]
  }
  const wanted = expectation(issue, found)
  const message = wanted === null ? issue.message : `${found === undefined ? 'is missing' : `is ${quoted(found)}`}; expected ${wanted}`
  return [{ path: issue.path, message }]
}

function unknownField(key: string, at: readonly PropertyKey[]): Misfit {
  const nearest = closest(key, fieldsAt(at))
  const fix = nearest === null ? 'remove it or correct its spelling' : `did you mean ${nearest}?`
  return { path: [...at, key], message: `${show(key)} is not a field here`, fix }
}

/** The `type` of a step, which may be left out, or of a loop. */
function unknownType(path: readonly PropertyKey[], found: unknown): Misfit {
  const ofLoop = path.at(-2) === 'loop'
  const known = ofLoop ? Loop.options.map(({ shape }) => shape.type.value) : ['step', 'loop']
  const nearest = typeof found === 'string' ? closest(found, known) : null
  const all = `${ofLoop ? '' : 'no type, or '}one of ${known.join(', ')}`
  const message = `${found === undefined ? 'is missing' : `is ${quoted(found)}`}; expected ${all}`
  return { path, message, ...(nearest !== null && { fix: `did you mean ${nearest}?` }) }
}

const conditions = new Set(['runCondition', 'requireConfirmation', 'condition', 'and', 'or', 'not'])

/** The fields of the format at a place, for a suggestion: what a path leads to is known by the last name in it. */
function fieldsAt(path: readonly PropertyKey[]): string[] {
  const names = path.filter((part) => typeof part === 'string')
  const last = names.at(-1)
  if (last === undefined) return Object.keys(Workflow.shape)
  if (last === 'loop') return Loop.options.flatMap(({ shape }) => Object.keys(shape))
  if (last === 'functionDefinitions') return Object.keys(FunctionDefinition.shape)
  if (last === 'validationCriteria') return [...Object.keys(ValidationRule.shape), 'and', 'or', 'not']
  if (conditions.has(last))
    return Object.keys(names.includes('validationCriteria') && last !== 'condition' ? ValidationRule.shape : Condition.shape)
  return last === 'steps' || last === 'body' ? [...Object.keys(Step.shape), ...Object.keys(LoopStep.shape)] : []
}

function deepest(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(...issues.map((issue) => issue.path.length))
}

import * as z from 'zod'
import { closest } from '../text/closest.ts'
import { messageOf } from '../problem.ts'
import { comparisons, type Condition } from './condition.ts'
import { isComposition, patternOf, type ValidationCriteria, type ValidationRule } from './criteria.ts'
import { functionFaults } from './functions.ts'
import type { LoopStep, Step, Workflow } from './workflow.ts'

export type Path = readonly (string | number)[]

/** Something a schema cannot say is wrong with a workflow, where it is, and what would be right. */
export interface Fault {
  path: Path
  message: string
  fix: string
}

/** One thing wrong with a workflow file: where, what, and what would be right. */
export type WorkflowFault = z.infer<typeof WorkflowFault>
export const WorkflowFault = z.object({ file: z.string(), line: z.int(), field: z.string(), problem: z.string(), fix: z.string() })

/** What a well-formed workflow may still get wrong: ids used twice, loops without a body, rules nobody could meet; unknown roles where the roles are known. */
export function workflowFaults(workflow: Workflow, roles: readonly string[] | null = null): Fault[] {
  return [
    ...duplicateIds(workflow),
    ...workflow.steps.flatMap((step, index) => {
      const path = ['steps', index]
      return step.type === 'loop' ? loopFaults(workflow, step, path) : stepFaults(step, path)
    }),
    ...functionFaults(workflow),
    ...(roles === null ? [] : roleFaults(workflow, roles)),
  ]
}

/** The JSON Schemas that outputs are judged by, with the step of each and where it is. Whether one can be used, its compiler tells. */
export function schemasIn(workflow: Workflow): { step: string; schema: Record<string, unknown>; path: Path }[] {
  const placed = placedSteps(workflow).flatMap(({ step: { id, validationCriteria }, path }) =>
    placedRules(validationCriteria, [...path, 'validationCriteria']).map((rule) => ({ ...rule, step: id })),
  )
  return placed.flatMap(({ step, rule: { type, schema }, path }) =>
    type === 'schema' && schema !== undefined ? [{ step, schema, path: [...path, 'schema'] }] : [],
  )
}

/** Every step an agent carries out, with where it is. */
export function placedSteps(workflow: Workflow): { step: Step; path: Path }[] {
  return workflow.steps.flatMap((step, index): { step: Step; path: Path }[] => {
    if (step.type !== 'loop') return [{ step, path: ['steps', index] }]
    return typeof step.body === 'string' ? [] : step.body.map((inner, at) => ({ step: inner, path: ['steps', index, 'body', at] }))
  })
}

function roleFaults(workflow: Workflow, roles: readonly string[]): Fault[] {
  return placedSteps(workflow).flatMap(({ step: { role }, path }) => {
    if (role === undefined || roles.includes(role)) return []
    return [{ path: [...path, 'role'], message: `there is no role "${role}"`, fix: `name one of: ${roles.join(', ')}${hint(role, roles)}` }]
  })
}

function duplicateIds(workflow: Workflow): Fault[] {
  const places = workflow.steps.flatMap((step, index) => {
    const own = { id: step.id, path: ['steps', index, 'id'] as Path }
    if (step.type !== 'loop' || typeof step.body === 'string') return [own]
    return [own, ...step.body.map((inner, at) => ({ id: inner.id, path: ['steps', index, 'body', at, 'id'] as Path }))]
  })
  const repeated = [...Map.groupBy(places, ({ id }) => id).values()].flatMap((same) => same.slice(1))
  return repeated.map(({ id, path }) => ({ path, message: `the id "${id}" is used twice`, fix: 'give every step an id of its own' }))
}

function loopFaults(workflow: Workflow, step: LoopStep, path: Path): Fault[] {
  const own = [
    ...conditionFaults(step.runCondition, [...path, 'runCondition']),
    ...confirmationFaults(step, path),
    ...conditionFaults(step.loop.condition, [...path, 'loop', 'condition']),
  ]
  if (typeof step.body !== 'string') return [...own, ...step.body.flatMap((inner, at) => stepFaults(inner, [...path, 'body', at]))]
  const named = workflow.steps.find((other) => other.id === step.body)
  if (named !== undefined && named.type !== 'loop') return own
  const ids = workflow.steps.flatMap((other) => (other.type === 'loop' ? [] : [other.id]))
  const message = named === undefined ? `no step has the id "${step.body}"` : 'a loop cannot be the body of a loop'
  const fix = `name one of: ${ids.join(', ') || 'no plain step yet'}${hint(step.body, ids)}`
  return [...own, { path: [...path, 'body'], message, fix }]
}

function stepFaults(step: Step, path: Path): Fault[] {
  return [
    ...conditionFaults(step.runCondition, [...path, 'runCondition']),
    ...confirmationFaults(step, path),
    ...placedRules(step.validationCriteria, [...path, 'validationCriteria']).flatMap(ruleFaults),
  ]
}

function confirmationFaults({ requireConfirmation }: Step | LoopStep, path: Path): Fault[] {
  return typeof requireConfirmation === 'object' ? conditionFaults(requireConfirmation, [...path, 'requireConfirmation']) : []
}

/** An operator without a variable would be judged against nothing, and the step would never run. */
function conditionFaults(condition: Condition | undefined, path: Path): Fault[] {
  if (condition === undefined) return []
  const orphan = condition.var === undefined ? comparisons.filter((operator) => condition[operator] !== undefined) : []
  return [
    ...orphan.map((operator) => ({
      path: [...path, operator],
      message: `${operator} needs a "var" beside it`,
      fix: 'add "var": "theVariable"',
    })),
    ...(condition.and ?? []).flatMap((part, at) => conditionFaults(part, [...path, 'and', at])),
    ...(condition.or ?? []).flatMap((part, at) => conditionFaults(part, [...path, 'or', at])),
    ...conditionFaults(condition.not, [...path, 'not']),
  ]
}

interface PlacedRule {
  rule: ValidationRule
  path: Path
}

/** Every rule of some criteria, however deep, with where it is. */
export function placedRules(criteria: ValidationCriteria | ValidationRule | undefined, path: Path): PlacedRule[] {
  if (criteria === undefined) return []
  if (Array.isArray(criteria)) return criteria.flatMap((part, at) => placedRules(part, [...path, at]))
  if (!isComposition(criteria)) return [{ rule: criteria, path }]
  const { and = [], or = [], not } = criteria
  return [
    ...and.flatMap((part, at) => placedRules(part, [...path, 'and', at])),
    ...or.flatMap((part, at) => placedRules(part, [...path, 'or', at])),
    ...placedRules(not, [...path, 'not']),
  ]
}

/** A rule that lacks what its type tests can never be met: whoever plays the workflow would be stuck there. */
function ruleFaults({ rule, path }: PlacedRule): Fault[] {
  const condition = conditionFaults(rule.condition, [...path, 'condition'])
  const needs = { contains: rule.value, regex: rule.pattern, length: rule.min ?? rule.max, schema: rule.schema }[rule.type]
  if (needs === undefined) {
    const key = { contains: '"value"', regex: '"pattern"', length: '"min" or "max"', schema: '"schema"' }[rule.type]
    return [...condition, { path, message: `a rule of type ${rule.type} needs ${key}`, fix: `add ${key}` }]
  }
  if (rule.type === 'length' && rule.min !== undefined && rule.max !== undefined && rule.min > rule.max) {
    return [...condition, { path, message: `min ${rule.min} is more than max ${rule.max}`, fix: 'swap them' }]
  }
  return rule.type === 'regex' ? [...condition, ...patternFaults(rule, path)] : condition
}

function patternFaults(rule: ValidationRule, path: Path): Fault[] {
  try {
    patternOf(rule)
    return []
  } catch (error) {
    return [{ path: [...path, 'pattern'], message: messageOf(error), fix: 'write a valid JavaScript regular expression' }]
  }
}

function hint(word: string, candidates: readonly string[]): string {
  const nearest = closest(word, candidates)
  return nearest === null ? '' : ` (did you mean ${nearest}?)`
}

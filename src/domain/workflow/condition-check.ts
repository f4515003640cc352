import { canonicalJson } from '../text/canonical-json.ts'
import type { Condition } from './condition.ts'
import { type Path, placedRules, placedSteps } from './faults.ts'
import type { Workflow } from './workflow.ts'

/** A condition of a workflow and where it is written. */
export interface PlacedCondition {
  condition: Condition
  path: Path
}

/** Every condition of a workflow: of steps, loops, confirmations and rules. */
export function conditionsIn(workflow: Workflow): PlacedCondition[] {
  const loops = workflow.steps.flatMap((step, at) => (step.type === 'loop' ? [{ step, path: ['steps', at] as Path }] : []))
  return [...placedSteps(workflow), ...loops].flatMap(({ step, path }) => [
    ...placed(step.runCondition, [...path, 'runCondition']),
    ...(typeof step.requireConfirmation === 'object' ? placed(step.requireConfirmation, [...path, 'requireConfirmation']) : []),
    ...(step.type === 'loop'
      ? placed(step.loop.condition, [...path, 'loop', 'condition'])
      : placedRules(step.validationCriteria, [...path, 'validationCriteria']).flatMap(({ rule, path: at }) =>
          placed(rule.condition, [...at, 'condition']),
        )),
  ])
}

/** The names of all variables a condition looks at. */
export function variablesIn({ var: name, and = [], or = [], not }: Condition): Set<string> {
  const inner = [...and, ...or, ...(not === undefined ? [] : [not])].flatMap((part) => [...variablesIn(part)])
  return new Set(name === undefined ? inner : [name, ...inner])
}

/** The texts each variable is compared with, each once. */
export function comparedTexts(conditions: readonly Condition[]): Map<string, string[]> {
  const found = new Map<string, Set<string>>()
  const look = ({ var: name, equals, not_equals, and = [], or = [], not }: Condition): void => {
    const texts = [equals, not_equals].filter((value) => typeof value === 'string')
    if (name !== undefined && texts.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...texts]))
    for (const part of [...and, ...or, ...(not === undefined ? [] : [not])]) look(part)
  }
  for (const condition of conditions) look(condition)
  return new Map([...found].map(([name, texts]) => [name, [...texts]]))
}

/** Whether no context could ever meet a condition. What is not found out is taken to be possible. */
export function cannotHold(condition: Condition): boolean {
  const parts = conjunction(condition)
  if (parts.some(({ or, not }) => (or !== undefined && or.every(cannotHold)) || (not !== undefined && Object.keys(not).length === 0)))
    return true
  const tests = parts.filter(({ var: name }) => name !== undefined)
  return [...Map.groupBy(tests, ({ var: name }) => name).values()].some(contradicts)
}

/** All parts of which each must hold. */
function conjunction(condition: Condition): Condition[] {
  return [condition, ...(condition.and ?? []).flatMap(conjunction)]
}

function contradicts(tests: readonly Condition[]): boolean {
  const equals = new Set(tests.flatMap((test) => (test.equals === undefined ? [] : [canonicalJson(test.equals)])))
  const excluded = tests.flatMap((test) => (test.not_equals === undefined ? [] : [canonicalJson(test.not_equals)]))
  const values = tests.flatMap(({ equals: value }) => (value === undefined ? [] : [value]))
  const above = Math.max(...tests.map(({ gt = -Infinity, gte = -Infinity }) => Math.max(gt, gte)))
  const below = Math.min(...tests.map(({ lt = Infinity, lte = Infinity }) => Math.min(lt, lte)))
  const strict = tests.some(({ gt, lt }) => gt === above || lt === below)
  const bounded = above !== -Infinity || below !== Infinity
  return (
    equals.size > 1 ||
    excluded.some((value) => equals.has(value)) ||
    above > below ||
    (above === below && strict) ||
    (bounded && values.some((value) => typeof value !== 'number' || value < above || value > below))
  )
}

function placed(condition: Condition | undefined, path: Path): PlacedCondition[] {
  return condition === undefined ? [] : [{ condition, path }]
}

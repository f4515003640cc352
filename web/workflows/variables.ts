import type { OutlineStep } from '../../src/domain/workflow/view.ts'
import { typedValue } from '../../src/domain/text/unknown-value.ts'
import type { Condition } from '../../src/domain/workflow/condition.ts'

/** The variables that decide which steps are taken, in the order in which they are first looked at. A loop counts its own rounds. */
export function variablesIn(steps: readonly OutlineStep[]): string[] {
  return [...new Set(steps.flatMap(inStep))]
}

function inStep({ runCondition, loop }: OutlineStep): string[] {
  const tested = runCondition === null ? [] : inCondition(runCondition)
  if (loop === null) return tested
  const over = typeof loop.over === 'object' ? inCondition(loop.over) : typeof loop.over === 'string' ? [loop.over] : []
  return [...tested, ...[...over, ...loop.body.flatMap(inStep)].filter((name) => !loop.variables.includes(name))]
}

function inCondition({ var: name, and = [], or = [], not }: Condition): string[] {
  return [...(name === undefined ? [] : [name]), ...[...and, ...or, ...(not === undefined ? [] : [not])].flatMap(inCondition)]
}

/** What a person typed, as values; what is empty is not sent. */
export function contextFrom(typed: Readonly<Record<string, string>>): Record<string, unknown> {
  const given = Object.entries(typed).filter(([, text]) => text.trim() !== '')
  return Object.fromEntries(given.map(([name, text]) => [name, typedValue(text)]))
}

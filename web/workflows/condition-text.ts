import type { Condition } from '../../src/domain/workflow/condition.ts'

const signs = { equals: '=', not_equals: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' } as const

/** A condition as a person reads it: `size = "large" and not (done is set)`. */
export function conditionText(condition: Condition): string {
  const parts = [
    ...compared(condition),
    ...(condition.and === undefined ? [] : [joined(condition.and, ' and ')]),
    ...(condition.or === undefined ? [] : [joined(condition.or, ' or ')]),
    ...(condition.not === undefined ? [] : [`not (${conditionText(condition.not)})`]),
  ]
  return parts.length === 0 ? 'always' : parts.join(' and ')
}

function compared(condition: Condition): string[] {
  if (condition.var === undefined) return []
  const names = Object.keys(signs) as (keyof typeof signs)[] // the keys of the table above
  const asked = names.filter((name) => condition[name] !== undefined)
  if (asked.length === 0) return [`${condition.var} is set`]
  return asked.map((name) => `${condition.var} ${signs[name]} ${JSON.stringify(condition[name])}`)
}

function joined(parts: readonly Condition[], between: string): string {
  return parts.map((part) => ((part.and ?? part.or) ? `(${conditionText(part)})` : conditionText(part))).join(between)
}

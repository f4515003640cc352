import { type Context, judgeCondition } from '../../domain/workflow/condition.ts'
import { isComposition, type ValidationComposition, type ValidationCriteria, type ValidationRule } from '../../domain/workflow/criteria.ts'

/** What the criteria of a step ask of its output, a line for each rule that applies: an agent that knows them need not be sent back. */
export function demandsOf(criteria: ValidationCriteria | undefined, context: Context): string[] {
  if (criteria === undefined) return []
  return Array.isArray(criteria) ? criteria.flatMap((rule) => demand(rule, context)) : demand(criteria, context)
}

function demand(member: ValidationRule | ValidationComposition, context: Context): string[] {
  if (!isComposition(member)) return judgeCondition(member.condition, context).holds === false ? [] : [sentence(member)]
  const inner = (members: readonly (ValidationRule | ValidationComposition)[]) => members.flatMap((part) => demand(part, context))
  if (member.not !== undefined) return inner([member.not]).map((line) => `not: ${line}`)
  if (member.or === undefined) return inner(member.and ?? [])
  const choices = inner(member.or)
  return choices.length === 0 ? [] : [choices.join(' | or ')]
}

function sentence({ type, message, value, pattern, flags = '', min, max, schema }: ValidationRule): string {
  // oxfmt-ignore
  const what = {
    contains: `contains ${JSON.stringify(value ?? '')}`,
    regex:    `matches /${pattern ?? ''}/${flags}`,
    length:   `has ${min ?? 0} to ${max ?? 'any number of'} characters`,
    schema:   `is JSON that fits ${JSON.stringify(schema ?? {})}`,
  }[type]
  return message === '' ? what : `${what} — ${message}`
}

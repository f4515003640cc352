import type * as z from 'zod'
import { quoted, valueAt } from '../domain/unknown-value.ts'
import { Config } from './schema.ts'

/** A misfit as one sentence: which field, what came, what fits. */
export function wrongField(issue: z.core.$ZodIssue, whole: unknown): string {
  const field = issue.path.length > 0 ? issue.path.join('.') : 'the configuration'
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.path.length === 0 ? `; the keys are ${Object.keys(Config.shape).join(', ')}` : ''
    return `${field} has no key ${issue.keys.join(', ')}${keys}`
  }
  const value = valueAt(whole, issue.path)
  return `${field} is ${value === undefined ? 'missing' : quoted(value)}; ${fits(issue)}`
}

/** Zod says both what it wanted and what came; what came is shown already. */
function fits(issue: z.core.$ZodIssue): string {
  const wanted = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return (
    wanted.replace(/^Invalid (input|option|key|URL)?:? ?/, '').replace(/, received .*$/, '') ||
    `expected a ${issue.code.replaceAll('_', ' ')}`
  )
}

import type * as z from 'zod'
import { expectation } from '../domain/expectation.ts'
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
  return `${field} is ${value === undefined ? 'missing' : quoted(value)}; ${fits(issue, value)}`
}

function fits(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? issue.message
  const wanted = expectation(issue, value)
  return wanted === null ? issue.message : `expected ${wanted}`
}

import type * as z from 'zod'
import { closest } from './closest.ts'

/** What would have fitted where a value did not, in words; null where the schema has words of its own, which say it better. */
export function expectation(issue: z.core.$ZodIssue, found: unknown): string | null {
  if (!/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message)) return null
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String), found)
  if (issue.code === 'invalid_type') return kinds[issue.expected] ?? `a ${issue.expected}`
  if (issue.code === 'too_small')
    return issue.origin === 'string' && issue.minimum === 1 ? 'some text' : `at least ${issue.minimum}${unitOf(issue)}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}${unitOf(issue)}`
  if (issue.code === 'invalid_format') return issue.pattern === undefined ? `a ${issue.format}` : `text that fits ${issue.pattern}`
  return issue.message
}

const kinds: Readonly<Record<string, string>> = {
  object: 'a map of fields',
  record: 'a map of fields',
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
}

function unitOf({ origin }: { origin: string }): string {
  return { string: ' characters', array: ' entries' }[origin] ?? ''
}

function oneOf(values: readonly string[], found: unknown): string {
  const near = typeof found === 'string' ? closest(found, values) : null
  return near === null ? `one of ${values.join(', ')}` : `${near}, or another of ${values.join(', ')}`
}

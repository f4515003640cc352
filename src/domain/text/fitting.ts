import type * as z from 'zod'
import { Problem } from '../problem.ts'
import { issueText, readValue } from './schema-error.ts'

/** A value from outside as a schema has it, or a refusal that says what it is not and names every field that is wrong. */
export function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown, refusal: string): z.output<Schema> {
  const read = readValue(schema, value)
  if ('value' in read) return read.value
  const faults = read.issues.map(issueText)
  throw new Problem('bad_input', `${refusal}: ${faults.join('; ')}`, { details: { faults } })
}

/** What is wrong with a value, field by field; nothing where it fits. */
export function misfits(schema: z.ZodType, value: unknown): string[] {
  const read = readValue(schema, value)
  return 'value' in read ? [] : read.issues.map(issueText)
}

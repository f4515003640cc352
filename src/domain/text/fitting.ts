import type * as z from 'zod'
import { Problem } from '../problem.ts'

/** A value from outside as a schema has it, or a refusal that says what it is not and names every field that is wrong. */
export function fitting<Output>(schema: z.ZodType<Output>, value: unknown, refusal: string): Output {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const faults = misfits(parsed.error)
  throw new Problem('bad_input', `${refusal}: ${faults.join('; ')}`, { details: { faults } })
}

/** What is wrong with a value, field by field. */
export function misfits({ issues }: z.ZodError): string[] {
  return issues.map(({ path, message }) => {
    const said = message.endsWith('received undefined') ? 'is missing' : message
    return path.length === 0 ? said : `${path.join('.')}: ${said}`
  })
}

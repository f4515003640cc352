import * as z from 'zod'
import { Condition } from './condition.ts'

/** One rule an output must meet. Which keys a type needs is checked in `workflow-faults.ts`. */
export type ValidationRule = z.infer<typeof ValidationRule>
export const ValidationRule = z
  .strictObject({
    type: z.enum(['contains', 'regex', 'length', 'schema']),
    message: z.string(),
    value: z.string().optional(),
    pattern: z.string().optional(),
    flags: z
      .string()
      .regex(/^[a-z]*$/)
      .optional(),
    min: z.number().min(0).optional(),
    max: z.number().min(0).optional(),
    schema: z.record(z.string(), z.unknown()).optional(),
    condition: Condition.optional(),
  })
  .meta({ id: 'ValidationRule', description: 'One rule that the output of a step must meet.' })

/** Exactly one of and, or, not, over rules and further compositions. */
export interface ValidationComposition {
  and?: (ValidationRule | ValidationComposition)[] | undefined
  or?: (ValidationRule | ValidationComposition)[] | undefined
  not?: ValidationRule | ValidationComposition | undefined
}

export const ValidationComposition: z.ZodType<ValidationComposition> = z
  .union([
    z.strictObject({ and: z.lazy(() => members) }),
    z.strictObject({ or: z.lazy(() => members) }),
    z.strictObject({ not: z.lazy(() => member) }),
  ])
  .meta({ id: 'ValidationComposition', description: 'Exactly one of and, or, not.' })

const member = z.union([ValidationRule, ValidationComposition])
const members = z.array(member).min(1)

/** What a step's output must meet: a list of rules that all hold, or one composition. */
export type ValidationCriteria = z.infer<typeof ValidationCriteria>
export const ValidationCriteria = z.union([z.array(ValidationRule), ValidationComposition])

/** Whether an output meets a step's criteria; every issue is a sentence the author wrote or one that says what is missing. */
export type OutputVerdict = z.infer<typeof OutputVerdict>
export const OutputVerdict = z.object({ valid: z.boolean(), issues: z.array(z.string()), suggestions: z.array(z.string()) })

/** What a rule of type regex tests with. A leading (?i), (?s) or (?m), as other languages write it, becomes the flag. */
export function patternOf({ pattern = '', flags = '' }: Pick<ValidationRule, 'pattern' | 'flags'>): RegExp {
  const [inline = '', letters = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? []
  return new RegExp(pattern.slice(inline.length), [...new Set(flags + letters)].join(''))
}

/** What a composition is made of. */
export function membersOf({ and = [], or = [], not }: ValidationComposition): (ValidationRule | ValidationComposition)[] {
  return [...and, ...or, ...(not === undefined ? [] : [not])]
}

/** A composition, as opposed to a rule. */
export function isComposition(criteria: ValidationRule | ValidationComposition): criteria is ValidationComposition {
  return !('type' in criteria)
}

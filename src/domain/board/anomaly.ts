import * as z from 'zod'
import { misfits } from '../text/schema-error.ts'
import { Problem } from '../problem.ts'
import { Above0, NonBlank } from '../text/fields.ts'

/** Words; a number such as 404 is one too. */
const Said = z.preprocess((given) => (typeof given === 'number' ? String(given) : given), NonBlank)

/** What each kind of anomaly must say; more may always be added. */
const details = {
  retry_loop: z.looseObject({ count: Above0, error_pattern: Said }),
  trade_off: z.looseObject({ what: Said, why: Said, debt_created: z.union([z.boolean(), NonBlank], 'takes true, false or what it is') }),
  spec_ambiguity: z.looseObject({}),
  external_blocker: z.looseObject({ blocker_service: Said }),
  assumption_violated: z.looseObject({ assumption: Said, reality: Said }),
  scope_deviation: z.looseObject({}),
  workaround: z.looseObject({}),
  debt_created: z.looseObject({}),
  spec_changed: z.looseObject({}),
  hypothesis_exhaustion: z.looseObject({}),
  spec_gap: z.looseObject({}),
  review_deadlock: z.looseObject({}),
  system_ambiguity: z.looseObject({ protocol_section: Said, question: Said }),
} as const

export type AnomalyType = keyof typeof details
export const anomalyTypes = Object.keys(details) as AnomalyType[] // the keys of the table above

/** What is missing from the details of an anomaly; nothing when all is there. */
export function anomalyFaults(type: AnomalyType, given: unknown): string[] {
  return misfits(details[type], given)
}

/** The details as they must be for their type, or a refusal that names every field that is wrong. */
export function checkAnomaly(type: string, given: unknown): { type: AnomalyType; details: Record<string, unknown> } {
  const known = anomalyTypes.find((name) => name === type)
  if (known === undefined) throw new Problem('bad_input', `${type} is no kind of anomaly; there are ${anomalyTypes.join(', ')}`)
  const missing = anomalyFaults(known, given)
  const faults = missing.length === 0 && !saysSomething(given) ? ['details: say what happened, in at least one field'] : missing
  if (faults.length > 0) throw new Problem('bad_input', `a ${known} anomaly is incomplete: ${faults.join('; ')}`, { details: { faults } })
  return { type: known, details: details[known].parse(given) }
}

/** Whether details hold anything that could be read; whoever logs an anomaly knows what it is about. */
function saysSomething(given: unknown): boolean {
  const values: unknown[] = typeof given === 'object' && given !== null ? Object.values(given) : []
  return values.some((value) => (typeof value === 'string' ? value.trim() !== '' : value !== null && value !== undefined))
}

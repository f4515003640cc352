import * as z from 'zod'
import { misfits } from './fitting.ts'
import { Problem } from './problem.ts'

const said = z.string().min(1)

/** What each kind of anomaly must say; more may always be added. */
const details = {
  retry_loop: z.looseObject({ count: z.int().positive(), error_pattern: said }),
  trade_off: z.looseObject({ what: said, why: said, debt_created: z.union([z.boolean(), said]) }),
  spec_ambiguity: z.looseObject({}),
  external_blocker: z.looseObject({ blocker_service: said }),
  assumption_violated: z.looseObject({ assumption: said, reality: said }),
  scope_deviation: z.looseObject({}),
  workaround: z.looseObject({}),
  debt_created: z.looseObject({}),
  spec_changed: z.looseObject({}),
  hypothesis_exhaustion: z.looseObject({}),
  spec_gap: z.looseObject({}),
  review_deadlock: z.looseObject({}),
  system_ambiguity: z.looseObject({ protocol_section: said, question: said }),
} as const

export type AnomalyType = keyof typeof details
export const anomalyTypes = Object.keys(details) as AnomalyType[] // the keys of the table above

/** What is missing from the details of an anomaly; nothing when all is there. */
export function anomalyFaults(type: AnomalyType, given: unknown): string[] {
  const parsed = details[type].safeParse(given)
  return parsed.success ? [] : misfits(parsed.error)
}

/** The details as they must be for their type, or a refusal that names every field that is wrong. */
export function checkAnomaly(type: string, given: unknown): { type: AnomalyType; details: Record<string, unknown> } {
  const known = anomalyTypes.find((name) => name === type)
  if (known === undefined) throw new Problem('bad_input', `${type} is no kind of anomaly; there are ${anomalyTypes.join(', ')}`)
  const faults = anomalyFaults(known, given)
  if (faults.length > 0) throw new Problem('bad_input', `a ${known} anomaly is incomplete: ${faults.join('; ')}`, { details: { faults } })
  return { type: known, details: details[known].parse(given) }
}

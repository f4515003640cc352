import * as z from 'zod'
import { Problem } from '../problem.ts'
import { NonBlank, Above0 } from '../text/fields.ts'
import { misfits } from '../text/schema-error.ts'
import { Verdict } from './task-verdict.ts'

const base = { id: z.string(), board_id: z.string(), task: z.string().nullable(), timestamp: z.iso.datetime() }

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

/** Something wrong that an agent, a person or the machine noticed. */
export const Anomaly = z.object({
  ...base,
  kind: z.literal('anomaly'),
  reporter: z.string(),
  type: z.enum(anomalyTypes),
  details: z.looseObject({}),
})

/** How much a discovery matters. */
export const DiscoverySeverity = z.enum(['critical', 'high', 'medium', 'low'])

/** What is said of a discovery. */
export const discoveryFields = {
  description: NonBlank,
  severity: DiscoverySeverity.default('medium'),
  urgency: z.enum(['immediate', 'deferred']).default('deferred'),
  recommendation: z.string().default(''),
}

/** Work that a coder came across and did not do. `immediate` wakes the planner. */
export const Discovery = z.object({
  ...base,
  kind: z.literal('discovery'),
  by: z.string(),
  ...discoveryFields,
  converted_to_task: z.string().nullable().default(null),
  /** Why the planner made no task of it. */
  dismissed: z.string().nullable().default(null),
})

/** What is said in a handoff. */
export const handoffFields = {
  summary: NonBlank.describe('where it stands'),
  next_action: NonBlank.describe('what comes next'),
  approach: z.string().default('').describe('the approach taken'),
  blockers: z.array(z.string()).default([]).describe('what is in the way'),
  files_modified: z.array(z.string()).default([]).describe('what was changed'),
  next_steps: z.array(z.string()).default([]).describe('what is left to do after that'),
}

/** What an agent that stops leaves for the next one. */
const Handoff = z.object({
  ...base,
  kind: z.literal('handoff'),
  agent: z.string(),
  context_used: z.int().min(0).max(100).nullable().default(null),
  ...handoffFields,
})

/** A note from a person to the agents of a task, or to everyone when it names none. */
export const HumanNote = z.object({ ...base, kind: z.literal('human_note'), by: z.string(), message: z.string().min(1) })

/** An edit of a spec that the team must know of. */
export const SpecChange = z.object({
  ...base,
  kind: z.literal('spec_change'),
  /** Null where nobody wrote it down. */
  by: z.string().nullable().default(null),
  spec: z.string().min(1),
  change: NonBlank,
  triggered_by: z.string().min(1),
})

/** One line of the goal's `alignment_history`. */
const Alignment = z.object({ ...base, kind: z.literal('alignment'), event: z.string().min(1), summary: z.string().min(1) })

/** A verdict as it was given, its blockers numbered so that the next round can speak of each. */
const VerdictRecord = z.object({ ...base, kind: z.literal('verdict'), by: z.string(), round: z.int().positive(), verdict: Verdict })

/** The text a task's `spec_hash` stands for, so that a later change can be shown. */
const SpecText = z.object({ ...base, kind: z.literal('spec_text'), spec_hash: z.string(), text: z.string() })

/** That a planner was woken by something. `fingerprint` is the cause as it stood, so that an unchanged one wakes nobody again. */
const Wake = z.object({
  ...base,
  kind: z.literal('wake'),
  by: z.string(),
  generation: z.string(),
  trigger: z.string().min(1),
  fingerprint: z.string().min(1),
  /** When the planner was through with it; null while it is at it, or when it died over it. */
  done: z.iso.datetime().nullable().default(null),
})

/** What is written down about a board beside its tasks and agents. Nothing of it is ever removed. */
export type BoardRecord = z.infer<typeof BoardRecord>
export const BoardRecord = z.discriminatedUnion('kind', [
  Anomaly,
  Discovery,
  Handoff,
  HumanNote,
  SpecChange,
  Alignment,
  VerdictRecord,
  SpecText,
  Wake,
])

/** What people and agents leave for anyone who works on a task next. */
export const RecordKinds = { human_note: HumanNote, handoff: Handoff }

export type BoardRecordKind = BoardRecord['kind']
export type RecordOf<Kind extends BoardRecordKind> = Extract<BoardRecord, { kind: Kind }>

/** The order in which things were written down: what the machine writes once has a name that says nothing of its time. */
export function byTime(a: Pick<BoardRecord, 'timestamp'>, b: Pick<BoardRecord, 'timestamp'>): number {
  return a.timestamp.localeCompare(b.timestamp)
}

/** Whether a discovery waits for the planner's answer. */
export function isUrgent({ urgency, converted_to_task, dismissed }: RecordOf<'discovery'>): boolean {
  return urgency === 'immediate' && converted_to_task === null && dismissed === null
}

/** What is missing from the details of an anomaly; nothing when all is there. */
export function anomalyFaults(type: AnomalyType, given: unknown): string[] {
  return misfits(details[type], given)
}

/** The details as they must be for their type, or a refusal that names every field that is wrong. */
export function checkAnomaly(type: string, given: unknown): { type: AnomalyType; details: Record<string, unknown> } {
  const known = anomalyTypes.find((name) => name === type)
  if (known === undefined) throw new Problem('bad_input', `${type} is not a kind of anomaly; there are ${anomalyTypes.join(', ')}`)
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

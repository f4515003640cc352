import * as z from 'zod'
import type { AnomalyType, RecordOf } from '../../domain/board/record.ts'

/** Anomalies that together mean more than each alone. */
export type AnomalyPattern = z.infer<typeof AnomalyPattern>
export const AnomalyPattern = z.object({
  pattern: z.string(),
  severity: z.string(),
  /** What the breaker does about it: say so, stop the team for a person's look, or send it home. */
  response: z.enum(['warning', 'checkpoint', 'halt']),
  /** What they have in common. */
  about: z.string(),
  count: z.int(),
  threshold: z.int(),
  tasks: z.array(z.string()),
})

type Anomaly = Pick<RecordOf<'anomaly'>, 'task' | 'type' | 'details' | 'timestamp'>

interface Pattern {
  pattern: string
  severity: string
  types: readonly AnomalyType[]
  threshold: number
  /** What has to be alike; null leaves the anomaly out. */
  about: (anomaly: Anomaly) => string | null
}

// oxfmt-ignore
const patterns: readonly Pattern[] = [
  { pattern: 'retry_cluster',           severity: 'ARCHITECTURE_FLAW',   types: ['retry_loop'],              threshold: 3, about: ({ details }) => word(details['error_pattern']) },
  { pattern: 'debt_accumulation',       severity: 'SCOPE_FLAW',          types: ['trade_off'],               threshold: 3, about: ({ details }) => (indebted(details['debt_created']) ? 'debt' : null) },
  { pattern: 'assumption_cascade',      severity: 'SPEC_FLAW',           types: ['assumption_violated'],     threshold: 2, about: ({ details }) => word(details['assumption']) },
  { pattern: 'workaround_pattern',      severity: 'ARCHITECTURE_FLAW',   types: ['workaround', 'trade_off'], threshold: 2, about: ({ details }) => word(details['root_cause'] ?? details['what']) },
  { pattern: 'spec_gap_cluster',        severity: 'SPEC_FLAW',           types: ['spec_ambiguity'],          threshold: 2, about: ({ details }) => word(details['spec_ref']) },
  { pattern: 'external_service_outage', severity: 'EXTERNAL_DEPENDENCY', types: ['external_blocker'],        threshold: 2, about: ({ details }) => word(details['blocker_service']) },
]

/** Every pattern in a list of anomalies, the gravest first. */
export function findPatterns(anomalies: readonly Anomaly[]): AnomalyPattern[] {
  const found = patterns.flatMap((pattern) => clusters(pattern, anomalies).flatMap((cluster) => findingOf(pattern, cluster)))
  return found.toSorted((one, other) => gravity[other.response] - gravity[one.response] || other.count - one.count)
}

const gravity: Record<AnomalyPattern['response'], number> = { warning: 1, checkpoint: 2, halt: 3 }

interface Cluster {
  about: string
  members: Anomaly[]
}

function clusters({ types, about }: Pattern, anomalies: readonly Anomaly[]): Cluster[] {
  const grouped: Cluster[] = []
  for (const anomaly of anomalies) {
    const subject = types.includes(anomaly.type) ? about(anomaly) : null
    if (subject === null) continue
    const alike = grouped.find((cluster) => isAlike(cluster.about, subject))
    if (alike) alike.members.push(anomaly)
    else grouped.push({ about: subject, members: [anomaly] })
  }
  return grouped
}

/** One short of the threshold is a warning, twice the threshold is more than a look can mend. */
function findingOf({ pattern, severity, threshold }: Pattern, { about, members }: Cluster): AnomalyPattern[] {
  const count = members.length
  const tasks = [...new Set(members.flatMap(({ task }) => task ?? []))]
  const found = { pattern, severity, about, count, threshold, tasks }
  if (count >= threshold * 2) return [{ ...found, response: 'halt' }]
  if (count >= threshold) return [{ ...found, response: 'checkpoint' }]
  return count >= 2 ? [{ ...found, response: 'warning' }] : []
}

/** The same text but for numbers, case and spacing, or nearly so: one error has many line numbers. */
function isAlike(one: string, other: string): boolean {
  const [a, b] = [patternWords(one), patternWords(other)]
  return a === b || shared(pairs(a), pairs(b)) >= LIKENESS
}

const LIKENESS = 0.8

/** A text without what differs from one time to the next. */
export function patternWords(text: string): string {
  return text.toLowerCase().replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ').trim()
}

/** Neighbouring letters; two texts that share most of them say the same thing. */
function pairs(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)))
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((pair) => other.has(pair)).length
  return one.size + other.size === 0 ? 0 : (2 * both) / (one.size + other.size)
}

function word(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

function indebted(value: unknown): boolean {
  return value === true || (typeof value === 'string' && !/^(no|none|false)?$/i.test(value.trim()))
}

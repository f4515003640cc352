import * as z from 'zod'
import { Sha } from './task.ts'
import { NonBlank } from '../text/fields.ts'

/** Words of taste. A wrong format or a lost preference of a user is none, so those words count only where they judge the code. */
const TASTE =
  /\b(style|stylistic|naming|formatting|whitespace|indentation|nit|nitpick|cosmetic|(would|'d|I|we) prefer|preferabl[ey]|(personal|matter of) (preference|taste)|nicer|cleaner|elegan\w+)\b/i

/** What a rejection may rest on. Taste is not among it. */
export const Criterion = z.enum(['spec', 'done_when', 'scope', 'tests', 'invariant', 'defect'])

/** One reason to reject: where, what, against which criterion, and what to change. */
export type Blocker = z.infer<typeof Blocker>
export const Blocker = z
  .strictObject({
    /** Given when the verdict is stored; the next round speaks of each blocker by it. */
    id: z.string().optional(),
    file: NonBlank,
    location: NonBlank,
    criterion: Criterion,
    spec_ref: NonBlank.nullable().default(null),
    defect: NonBlank.min(10),
    fix: NonBlank.min(10),
    anomaly_logged: z.boolean(),
  })
  .refine(({ criterion, spec_ref }) => criterion !== 'spec' || spec_ref !== null, {
    path: ['spec_ref'],
    message: 'a blocker that rests on the spec names the place in it',
  })

const PriorFinding = z.strictObject({
  id: z.string().min(1),
  status: z.enum(['RESOLVED', 'STILL PRESENT', 'PARTIAL']),
  note: z.string().default(''),
})

const judged = {
  /** The commit that was looked at; a verdict about another one is refused. */
  review_commit: Sha,
  /** From the second round on: what became of each earlier blocker. */
  prior_findings: z.array(PriorFinding).default([]),
}

const Approved = z.strictObject({
  verdict: z.literal('APPROVED'),
  ...judged,
  /** The spec text the work was held against; null for a task without one. */
  spec_hash: z.string().nullable().default(null),
  criteria: z.array(z.strictObject({ criterion: NonBlank, evidence: NonBlank })).min(1, 'name what was checked'),
  commands: z.array(z.strictObject({ command: NonBlank, exit_code: z.int() })).default([]),
})

const Rejected = z
  .strictObject({
    verdict: z.literal('REJECTED'),
    ...judged,
    blockers: z.array(Blocker).min(1, 'a rejection names at least one blocker'),
    concerns: z.array(NonBlank).default([]),
    judgement: z.string().default(''),
  })
  .refine(({ blockers }) => !blockers.every(isTaste), {
    path: ['blockers'],
    message: 'style and preference are not reasons to reject; name what breaks the spec, done_when, the scope, the tests or an invariant',
  })

/** A reviewer's binding answer. */
export type Verdict = z.infer<typeof Verdict>
export const Verdict = z.discriminatedUnion('verdict', [Approved, Rejected])

/** Earlier blockers that a verdict does not speak of. */
export function unspokenOf(earlier: readonly Blocker[], verdict: Verdict): string[] {
  const spoken = new Set(verdict.prior_findings.map(({ id }) => id))
  return earlier.flatMap(({ id }) => (id === undefined || spoken.has(id) ? [] : [id]))
}

/** The text of a rejection as the coder reads it. `earlier` are the blockers of the rounds before. */
export function rejectionText(verdict: Extract<Verdict, { verdict: 'REJECTED' }>, earlier: readonly Blocker[] = []): string {
  const { blockers, concerns, judgement, prior_findings } = verdict
  return [
    `Blockers: ${blockers.length}`,
    ...blockers.map(
      ({ id, file, location, criterion, spec_ref, defect, fix, anomaly_logged }) =>
        `- ${id ?? ''} ${file}:${location} (${criterion}${spec_ref === null ? '' : ` ${spec_ref}`}) ${defect} Fix: ${fix}${anomaly_logged ? ' Anomaly logged.' : ''}`,
    ),
    ...(concerns.length > 0 ? [`Concerns: ${concerns.length}`, ...concerns.map((concern) => `- ${concern}`)] : []),
    ...(prior_findings.length > 0 ? ['Prior feedback:', ...prior_findings.map((finding) => priorText(finding, earlier))] : []),
    ...(judgement === '' ? [] : [judgement]),
  ].join('\n')
}

/** What is still open is quoted: the coder may be another one than the first time. */
function priorText({ id, status, note }: z.infer<typeof PriorFinding>, earlier: readonly Blocker[]): string {
  const found = status === 'RESOLVED' ? undefined : earlier.find((blocker) => blocker.id === id)
  const quoted = found === undefined ? '' : ` (${found.file}:${found.location} ${found.defect} Fix: ${found.fix})`
  return `- ${id}: ${status}${note === '' ? '' : `, ${note}`}${quoted}`
}

/** A blocker that only speaks of taste. What the spec, done_when, the scope or the tests ask for may well be a matter of form. */
function isTaste({ criterion, defect }: z.infer<typeof Blocker>): boolean {
  return (criterion === 'defect' || criterion === 'invariant') && TASTE.test(defect)
}

import * as z from 'zod'

/** What can happen on a board: what a line of its activity log is about. */
export type BoardAction = z.infer<typeof BoardAction>
// oxfmt-ignore
export const BoardAction = z.enum([
  // the board as a whole
  'initialized', 'goal_created', 'goal_specified', 'goal_completed', 'imported', 'configured', 'paused', 'resumed', 'checkpoint', 'aborted', 'retrospective',
  'breaker_warning', 'breaker_checkpoint', 'breaker_halt', 'base_taken_in', 'base_conflict',
  // its plan
  'task_added', 'task_edited', 'tasks_finalized', 'gate_override', 'plan_approved', 'rescoped', 'abandoned', 'unblocked', 'spec_changed', 'spec_updated',
  // the work on a task
  'claimed', 'claim_failed', 'claimable', 'released', 'stale_review_cleared', 'blocked', 'handoff', 'ready_for_review', 'submission_override', 'review_claimed',
  'approved', 'rejected', 'approval_voided', 'merged', 'integration_failed', 'left_behind', 'move_refused',
  // agents
  'registered', 'left', 'agent_freed', 'restarted', 'run_ended', 'planner_woken', 'planner_rests', 'team_started', 'team_says', 'team_ended',
  // what is written down
  'anomaly', 'discovered', 'discovery_settled', 'human_note',
])

/** What the history of a task calls it when a coder takes it. */
// oxfmt-ignore
export const claimEvents: readonly TaskEventName[] = [
  'claimed', 'reclaimed_after_rejection', 'reassigned_after_rejection', 'claimed_for_integration_fix', 'reclaimed_after_expiry', 'reclaimed_after_handoff',
]

const text = z.string()
const texts = z.array(z.string()).readonly()
const claim = z.object({ previous_assignee: text.optional() })
const why = z.object({ reason: text })
const nothing = z.object({})

/** What each event in the history of a task tells beside its time and who did it. */
const taskEvents = {
  created: z.object({ files: texts.optional() }),
  edited: nothing,
  finalized: z.object({ kind: text, spec_file_unchecked: z.boolean().optional(), override: text.optional() }),
  plan_approved: nothing,
  dependency_retargeted: z.object({ from: text, to: texts }),
  superseded: z.object({ reason: text, root_cause: text.optional() }),
  abandoned: z.object({ reason: text, root_cause: text.optional() }),
  claimed: claim,
  reclaimed_after_rejection: claim,
  reassigned_after_rejection: claim,
  claimed_for_integration_fix: claim,
  reclaimed_after_expiry: claim,
  reclaimed_after_handoff: claim,
  coder_claim_released: why,
  /** What an earlier coder left, and where it is kept. */
  work_taken_over: z.looseObject({}),
  pre_execution_checkpoint: z.object({ checkpoint: z.record(z.string(), z.unknown()) }),
  handoff: z.object({ summary: text, next_action: text }),
  submitted_for_review: z.object({
    commit: text,
    overridden: texts.optional(),
    override: text.nullable().optional(),
    outside_scope: texts.optional(),
  }),
  review_claimed: z.object({ commit: text.nullable(), previous_reviewer: text.optional() }),
  review_claim_released: why,
  approved: z.object({ commit: text }),
  rejected: z.object({ reason: text.nullable(), commit: text }),
  approval_voided: why,
  merged: z.object({ commit: text }),
  integration_failed: z.object({ reason: text, failed_sha: text }),
  blocked: why,
  unblocked: z.object({ answer: text, changed: texts }),
  move_refused: why,
  agent_silent: nothing,
  imported: z.object({ status: text, review_commit: text.optional() }),
} as const

export type TaskEventName = keyof typeof taskEvents
type FieldsOf<Name extends TaskEventName> = z.infer<(typeof taskEvents)[Name]>

/** What whoever changes a task says for its history: nothing is left out that the event has to tell. */
export type SaidOfTask = {
  [Name in TaskEventName]: string extends keyof FieldsOf<Name>
    ? { event: Name; about?: object }
    : object extends FieldsOf<Name>
      ? { event: Name; about?: FieldsOf<Name> }
      : { event: Name; about: FieldsOf<Name> }
}[TaskEventName]

/** One thing that happened to a task; the list is only ever appended to. What came from another board may tell less. */
export type TaskEvent = {
  [Name in TaskEventName]: { time: string; agent?: string | undefined; event: Name } & Partial<FieldsOf<Name>>
}[TaskEventName]

const [first, ...more] = Object.entries(taskEvents).map(([event, fields]) =>
  z.looseObject({ time: z.iso.datetime(), event: z.literal(event), agent: z.string().optional(), ...fields.partial().shape }),
)
/** More fields than these are kept, so that nothing of a story that was imported is lost. */
export const TaskEvent = z.discriminatedUnion('event', [
  first ?? z.looseObject({ event: z.literal('') }),
  ...more,
]) as unknown as z.ZodType<TaskEvent> // the variants of the table above

/** The newest entry of one kind, with the fields of its kind. */
export function lastEvent<Name extends TaskEventName>(
  history: readonly TaskEvent[],
  name: Name,
): Extract<TaskEvent, { event: Name }> | undefined {
  return history.findLast((one): one is Extract<TaskEvent, { event: Name }> => one.event === name)
}

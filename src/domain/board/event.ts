import * as z from 'zod'
import { Usage } from '../entry.ts'

const text = z.string()
const texts = z.array(z.string()).readonly()
const nothing = z.object({})
const why = z.object({ reason: text })
const closing = z.object({ reason: text, root_cause: text.optional() })

/** What became of the work that an earlier coder left. */
export type TakenOver = z.infer<typeof TakenOver>
export const TakenOver = z.object({
  from: text.nullable(),
  /** Where what it left is kept, whatever happens to the branch. */
  ref: text.nullable(),
  commit: text,
  /** How many of its commits the branch starts from; none where the task starts again. */
  commits: z.int(),
  uncommitted: z.enum(['none', 'restored', 'kept']),
  /** Files in which the integration branch conflicts with them. */
  conflicts: z.array(text),
})

/** Told in the activity log alone, by its detail. */
const logged = { activity: nothing }

/** Told in the history of a task alone. */
const taken = { history: z.object({ previous_assignee: text.optional() }) }

/**
 * Everything that happens on a board, with the fields it tells: in the activity log beside who, which task and a detail,
 * in the history of a task beside when and who, or in both. What is not here cannot be told.
 */
// oxfmt-ignore
const boardEvents = {
  // the board as a whole
  initialized: logged, goal_created: logged, goal_specified: logged, goal_completed: logged, configured: logged, paused: logged, resumed: logged,
  checkpoint: logged, aborted: logged, retrospective: logged, breaker_warning: logged, breaker_checkpoint: logged, breaker_halt: logged, base_taken_in: logged,
  base_conflict:               { activity: z.object({ files: texts }) },
  imported:                    { activity: nothing, history: z.object({ status: text, review_commit: text.optional() }) },

  // its plan
  task_added: logged, task_edited: logged, tasks_finalized: logged, gate_override: logged, spec_changed: logged, spec_updated: logged, claimable: logged,
  created:                     { history: z.object({ files: texts.optional() }) },
  edited:                      { history: nothing },
  finalized:                   { history: z.object({ kind: text, spec_file_unchecked: z.boolean().optional(), override: text.optional() }) },
  plan_approved:               { activity: nothing, history: nothing },
  dependency_retargeted:       { history: z.object({ from: text, to: texts }) },
  superseded:                  { history: closing },
  rescoped:                    { activity: z.object({ root_cause: text }) },
  abandoned:                   { activity: z.object({ root_cause: text.optional() }), history: closing },
  unblocked:                   { activity: nothing, history: z.object({ answer: text, changed: texts }) },

  // the work on a task
  claimed:                     { activity: nothing, ...taken },
  reclaimed_after_rejection:   taken,
  reassigned_after_rejection:  taken,
  claimed_for_integration_fix: taken,
  reclaimed_after_expiry:      taken,
  reclaimed_after_handoff:     taken,
  claim_failed: logged, released: logged,
  coder_claim_released:        { history: why },
  work_taken_over:             { history: TakenOver },
  pre_execution_checkpoint:    { history: z.object({ checkpoint: z.record(z.string(), z.unknown()) }) },
  handoff:                     { activity: nothing, history: z.object({ summary: text, next_action: text }) },
  blocked:                     { activity: nothing, history: why },
  ready_for_review: logged, submission_override: logged,
  submitted_for_review:        { history: z.object({ commit: text, overridden: texts.optional(), override: text.nullable().optional(), outside_scope: texts.optional() }) },
  review_claimed:              { activity: nothing, history: z.object({ commit: text.nullable(), previous_reviewer: text.optional() }) },
  stale_review_cleared: logged,
  review_claim_released:       { history: why },
  approved:                    { activity: nothing, history: z.object({ commit: text }) },
  rejected:                    { activity: nothing, history: z.object({ reason: text.nullable(), commit: text }) },
  approval_voided:             { activity: nothing, history: why },
  merged:                      { activity: z.object({ drift_commits: z.int().optional() }), history: z.object({ commit: text }) },
  integration_failed:          { activity: z.object({ failed_sha: text, test_output: text }), history: z.object({ reason: text, failed_sha: text }) },
  left_behind: logged,
  move_refused:                { activity: nothing, history: why },

  // agents
  registered: logged, left: logged, agent_freed: logged, restarted: logged, planner_woken: logged, planner_rests: logged,
  team_started: logged, team_says: logged, team_ended: logged,
  run_ended:                   { activity: z.object({ run_id: text, turns: z.int(), usage: Usage, took_ms: z.number() }) },
  agent_silent:                { history: nothing },

  // what is written down
  anomaly: logged, discovered: logged, discovery_settled: logged, human_note: logged,
} as const satisfies Record<string, { activity?: z.ZodObject; history?: z.ZodObject }>

type BoardEvents = typeof boardEvents
type ToldIn<Place extends string> = {
  [Name in keyof BoardEvents]: BoardEvents[Name] extends Record<Place, z.ZodObject> ? Name : never
}[keyof BoardEvents]

/** The fields of an event in one of the two places; one without fields adds nothing. */
type FieldsIn<Place extends string, Name extends ToldIn<Place>> =
  BoardEvents[Name] extends Record<Place, infer Fields extends z.ZodObject>
    ? keyof Fields['shape'] extends never
      ? unknown
      : z.infer<Fields>
    : never

/** The events that the activity log tells, and those that the history of a task tells. */
export type BoardAction = ToldIn<'activity'>
export type TaskEventName = ToldIn<'history'>

/** Events that the activity log tells by a detail alone. */
export type PlainAction = { [Name in BoardAction]: unknown extends FieldsIn<'activity', Name> ? Name : never }[BoardAction]

interface ActivityHead {
  agent: string
  task?: string | undefined
  detail: string
}

/** One line of the activity log. */
export type Activity =
  | (ActivityHead & { action: PlainAction })
  | { [Name in Exclude<BoardAction, PlainAction>]: ActivityHead & { action: Name } & FieldsIn<'activity', Name> }[Exclude<
      BoardAction,
      PlainAction
    >]

/** One thing that happened to a task; the list is only ever appended to. What came from another board may tell less. */
export type TaskEvent = {
  [Name in TaskEventName]: { time: string; agent?: string | undefined; event: Name } & Partial<FieldsIn<'history', Name>>
}[TaskEventName]

/** Everything that happens on a board, as it is told. */
export type BoardEvent = Activity | TaskEvent

/** What whoever changes a task says for its history: nothing is left out that the event has to tell. */
export type SaidOfTask = {
  [Name in TaskEventName]: unknown extends FieldsIn<'history', Name>
    ? { event: Name; about?: undefined }
    : object extends FieldsIn<'history', Name>
      ? { event: Name; about?: FieldsIn<'history', Name> }
      : { event: Name; about: FieldsIn<'history', Name> }
}[TaskEventName]

const namesIn = (place: 'activity' | 'history'): string[] =>
  Object.entries(boardEvents).flatMap(([name, told]) => (place in told ? name : []))
export const BoardAction = z.enum(namesIn('activity')) as unknown as z.ZodEnum<{ [Name in BoardAction]: Name }> // the names of the table

/** A line as it was stored; the log is our own, so its fields are those of its event. */
export const Activity = z.looseObject({
  agent: text,
  action: BoardAction,
  task: text.optional(),
  detail: text,
}) as unknown as z.ZodType<Activity>

const [first, ...more] = Object.entries<{ activity?: z.ZodObject; history?: z.ZodObject }>(boardEvents).flatMap(([name, { history }]) =>
  history === undefined
    ? []
    : [z.looseObject({ time: z.iso.datetime(), event: z.literal(name), agent: text.optional(), ...history.partial().shape })],
)
/** More fields than these are kept, so that nothing of a story that was imported is lost. */
export const TaskEvent = z.discriminatedUnion('event', [
  first ?? z.looseObject({ event: z.literal('') }),
  ...more,
]) as unknown as z.ZodType<TaskEvent> // the variants of the table above

/** What the history of a task calls it when a coder takes it. */
// oxfmt-ignore
export const claimEvents: readonly TaskEventName[] = [
  'claimed', 'reclaimed_after_rejection', 'reassigned_after_rejection', 'claimed_for_integration_fix', 'reclaimed_after_expiry', 'reclaimed_after_handoff',
]

/** The newest entry of one kind, with the fields of its kind. */
export function lastEvent<Name extends TaskEventName>(
  history: readonly TaskEvent[],
  name: Name,
): Extract<TaskEvent, { event: Name }> | undefined {
  return history.findLast((one): one is Extract<TaskEvent, { event: Name }> => one.event === name)
}

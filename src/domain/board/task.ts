import * as z from 'zod'
import { lastEvent, TaskEvent } from './event.ts'
import { taskFlow } from './task-flow.ts'
import { GateOverride } from './task-gates.ts'
import { Above0, NonBlank } from '../text/fields.ts'

/** The name of a task: it becomes a folder and a branch, so it may hold nothing that means something to a shell or a path. */
export const TaskId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'small letters, digits and -, starting with a letter or digit, at most 63')

/** A full commit id. A short one could mean another commit tomorrow. */
export const Sha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'the full id of a commit, 40 hexadecimal digits')

/** What a task makes. Only code has to come with tests. */
export type TaskKind = z.infer<typeof TaskKind>
export const TaskKind = z.enum(['code', 'doc', 'config', 'spec'])

const PRIORITY = 'takes a whole number from 1 to 5'

/** What the planner states; no task leaves DRAFT before all of it is there. */
export type TaskPlan = z.infer<typeof TaskPlan>
export const TaskPlan = z.object({
  description: NonBlank.max(4_000).describe('what to do'),
  kind: TaskKind.describe('only code needs tests').default('code'),
  priority: z.int(PRIORITY).min(1, PRIORITY).max(5, PRIORITY).describe('1 is first').default(1),
  spec_ref: NonBlank.max(1_000).nullable().describe('path of the spec, with #section').default(null),
  done_when: NonBlank.max(8_000).nullable().describe('falsifiable outcome').default(null),
  scope: NonBlank.max(8_000).nullable().describe('IN: … OUT: …').default(null),
  depends_on: z.array(TaskId).describe('tasks that are merged first').default([]),
  max_iterations: Above0.nullable().describe('how often it may be tried; as the board says when none').default(null),
})

/** Some of what a task states, with nothing filled in: what a change leaves out stays as it is. */
export const TaskChanges = z
  .object({
    description: TaskPlan.shape.description,
    kind: TaskPlan.shape.kind.removeDefault(),
    priority: TaskPlan.shape.priority.removeDefault(),
    spec_ref: TaskPlan.shape.spec_ref.removeDefault(),
    done_when: TaskPlan.shape.done_when.removeDefault(),
    scope: TaskPlan.shape.scope.removeDefault(),
    depends_on: TaskPlan.shape.depends_on.removeDefault(),
    max_iterations: TaskPlan.shape.max_iterations.removeDefault(),
  })
  .partial()

/** A task as it is added: what is missing may be said later, while it is a draft. */
export type NewTask = z.infer<typeof NewTask>
export const NewTask = z.strictObject({ id: TaskId.optional().describe('its id; task-N when left out'), ...TaskPlan.shape })

const at = z.iso.datetime().nullable().default(null)
const text = z.string().nullable().default(null)

/** What a task is, whatever is done about it. Only `moveTask` and `tellTask` write these. */
export type TaskEntry = z.infer<typeof TaskEntry>
const TaskEntry = z.object({
  id: TaskId,
  board_id: z.string(),
  /** The order in which tasks were added; settles which of two tasks is older. */
  number: z.int().positive(),
  status: z.enum(taskFlow.states),
  created: z.iso.datetime(),
  history: z.array(TaskEvent).default([]),
})

/** What was decided about the plan: its place in the sprint, its gates, its approval, and the tasks around it. */
export type TaskPlanning = z.infer<typeof TaskPlanning>
const TaskPlanning = z.object({
  sprint: z.enum(['planned', 'stretch']).nullable().default(null),
  plan_approved_by: text,
  /** Gates that a person let it pass, with the reason. */
  gates_overridden: z.array(GateOverride).default([]),
  /** The explicit wish of the one who finalized it that the spec file need not exist. */
  spec_file_unchecked: z.boolean().default(false),
  /** The text `spec_ref` meant when the task was finalized; another hash later says that the spec moved. */
  spec_hash: text,
  /** What still stands between the task and a claim: dependencies that are not merged, and the approval of the plan. Kept so that a claim need not look. */
  unmet: z.int().nonnegative().default(0),
  /** The tasks that name this one in `depends_on`. */
  dependents: z.array(TaskId).default([]),
  superseded_by: z.array(TaskId).default([]),
  supersedes: TaskId.nullable().default(null),
  rescope_reason: text,
})

/** Who works on it and until when, how often it was tried, and what stopped those who tried. */
export type TaskClaim = z.infer<typeof TaskClaim>
const TaskClaim = z.object({
  assigned_to: text,
  /** The registration of the coder that holds the claim. */
  claim_generation: text,
  lease_expires: at,
  iteration: z.int().positive().nullable().default(null),
  /** Claimed, and its worktree is still being made: until then there is nothing to look for in its place. */
  preparing: z.boolean().default(false),
  integration_fix: z.boolean().default(false),
  handoff_pending: z.boolean().default(false),
  failed_by: z.array(z.string()).default([]),
  blocked_reason: text,
  blocked_questions: z.array(z.string()).default([]),
  attempted: z.array(z.string()).default([]),
})

/** What was handed in, who reviews it and until when, and what came of it. */
export type TaskReview = z.infer<typeof TaskReview>
const TaskReview = z.object({
  review_commit: Sha.nullable().default(null),
  reviewing_by: text,
  review_generation: text,
  review_lease_expires: at,
  review_cycles_current: z.int().nonnegative().default(0),
  review_cycles_total: z.int().nonnegative().default(0),
  rejection_reason: text,
  approved_by: text,
  approved_spec_hash: text,
})

/** Where the work lies, where it began, and how its merge went. */
export type TaskGit = z.infer<typeof TaskGit>
const TaskGit = z.object({
  worktree: text,
  /** The coder whose work the worktree holds. Another one than `assigned_to` means that the worktree is still to be made. */
  worktree_by: text,
  base_commit: Sha.nullable().default(null),
  /** The commit of the base branch that this task brings into the integration branch, where that met a conflict. */
  takes_in: Sha.nullable().default(null),
  merging_by: text,
  merge_lease_expires: at,
  merge_commit: Sha.nullable().default(null),
  integration_output: text,
})

/** A card on the board: one record of these parts. A function asks for the parts it reads. Field names are those of the specification. */
export type Task = z.infer<typeof Task>
export const Task = z.object({
  ...TaskEntry.shape,
  ...TaskPlan.shape,
  ...TaskPlanning.shape,
  ...TaskClaim.shape,
  ...TaskReview.shape,
  ...TaskGit.shape,
})

/** What may be written to a task beside a move or a line of its history. */
export type TaskChange = Partial<TaskPlan & TaskPlanning & TaskClaim & TaskReview & TaskGit>

/** A task as anybody may see it: what fences processes off from each other stays inside. */
export type TaskRecord = z.infer<typeof TaskRecord>
export const TaskRecord = Task.omit({ claim_generation: true, review_generation: true, merging_by: true, merge_lease_expires: true })

/** A task as others name it. */
export type TaskLink = z.infer<typeof TaskLink>
export const TaskLink = z.object({ id: z.string(), title: z.string(), status: z.enum(taskFlow.states) })

/** Why approved work could not be merged, the last time it was tried. */
export function whyNotMerged({ history }: Pick<TaskEntry, 'history'>): string {
  return lastEvent(history, 'integration_failed')?.reason ?? 'approved work could not be merged'
}

/** Why a task that was to be merged was not; null when it was. */
export function mergeRefusal(task: TaskRecord): string | null {
  if (task.status === 'MERGED') return null
  return task.status === 'INTEGRATION_FAILED' ? whyNotMerged(task) : task.rejection_reason
}

/** Where the work on a task lies, seen from the root of the project. */
export function worktreeOf(taskId: string): { worktree: string; branch: string } {
  return { worktree: `.troupe/worktrees/${taskId}`, branch: `task/${taskId}` }
}

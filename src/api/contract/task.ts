import * as z from 'zod'
import { ChangedFile } from '../../domain/changed-file.ts'
import { BoardRecord } from '../../domain/board/record.ts'
import { Run } from '../../domain/run.ts'
import { taskFlow } from '../../domain/board/task-flow.ts'
import { Verdict } from '../../domain/board/task-verdict.ts'
import { Task, TaskId, TaskPlan } from '../../domain/board/task.ts'

export const TaskState = z.enum(taskFlow.states)
/** Null where the price of a model is unknown; it is never shown as zero. */
export const cost = z.int().nonnegative().nullable()
/** What a person gives as a reason or an answer: never nothing. */
export const reason = z.string().trim().min(1).max(4_000)

/** Another task, named. */
export type TaskLink = z.infer<typeof TaskLink>
export const TaskLink = z.object({ id: z.string(), title: z.string(), status: TaskState })

/** A task, opened. Fences between processes are nobody's business here. */
export type TaskView = z.infer<typeof TaskView>
export const TaskView = z.object({
  task: Task.omit({ claim_generation: true, review_generation: true, merging_by: true, merge_lease_expires: true }),
  gates: z.array(z.object({ gate: z.string(), passed: z.boolean(), reason: z.string() })),
  depends_on: z.array(TaskLink),
  dependents: z.array(TaskLink),
  verdicts: z.array(z.object({ id: z.string(), by: z.string(), round: z.int(), timestamp: z.iso.datetime(), verdict: Verdict })),
  records: z.array(BoardRecord),
  runs: z.array(
    Run.pick({ id: true, agent_role: true, model: true, status: true, turns: true, usage: true, started_at: true, ended_at: true }),
  ),
  cost_microusd: cost,
  branch: z.string(),
  /** What earlier coders left: the ref that keeps it, and the commit it is. */
  earlier_work: z.array(z.object({ from: z.string().nullable(), ref: z.string(), commit: z.string(), time: z.iso.datetime() })),
  /** How the spec changed since the task was finalized; null while it is the same. */
  spec_delta: z.string().nullable(),
  /** What a person could do with it now. */
  moves: z.array(z.string()),
  max_iterations: z.int(),
  max_review_cycles: z.int(),
  lease_duration: z.int(),
  now: z.iso.datetime(),
})

/** What the work on a task changed. */
export type TaskDiff = z.infer<typeof TaskDiff>
export const TaskDiff = z.object({
  base: z.string().nullable(),
  head: z.string().nullable(),
  /** A patch is null when the whole is too large to show. */
  files: z.array(ChangedFile.extend({ patch: z.string().nullable() })),
})

/** The files that lie in a worktree. */
const TaskFiles = z.object({
  worktree: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), state: z.enum(['same', 'changed', 'uncommitted']) })),
  /** How many there are; not all are listed when there are very many. */
  count: z.int(),
})

/** A task as a person writes it; what is missing may be said later, while it is a draft. */
const NewTask = z.strictObject({ id: TaskId.exactOptional(), ...TaskPlan.shape })

/** What a person may do to a task. Who does it is not said: it is the one who holds the token. */
const PersonMove = z.discriminatedUnion('move', [
  z.strictObject({ move: z.literal('finalize'), skip_spec_file_check: z.boolean().default(false), override: reason.optional() }),
  z.strictObject({ move: z.literal('hold'), reason }),
  z.strictObject({ move: z.literal('release'), reason, force: z.boolean().default(false) }),
  z.strictObject({
    move: z.literal('supersede'),
    reason,
    root_cause: reason,
    replacements: z.array(NewTask).min(1).max(20),
    skip_spec_file_check: z.boolean().default(false),
  }),
  z.strictObject({ move: z.literal('abandon'), reason, root_cause: reason }),
])

export const taskContract = {
  getTask: { summary: 'A task with its gates, verdicts and everything written down about it', reply: TaskView },
  getTaskDiff: { summary: 'What the work on a task changed, from its base to what is under review', reply: TaskDiff },
  listTaskFiles: { summary: 'The files in the worktree of a task', reply: TaskFiles },
  readTaskFile: {
    summary: 'The text of one file in the worktree of a task',
    query: z.object({ path: z.string().min(1).max(4_000) }),
    reply: z.object({ path: z.string(), text: z.string() }),
  },
  addTask: {
    summary: 'Put a task on the board as a draft',
    body: NewTask.extend({ sprint: z.enum(['planned', 'stretch']).exactOptional() }),
    reply: TaskLink,
  },
  editTask: { summary: 'Say a draft anew, as a whole', body: z.strictObject(TaskPlan.shape), reply: TaskLink },
  moveTask: { summary: 'Finalize, hold, release, replace or abandon a task', body: PersonMove, reply: TaskLink },
}

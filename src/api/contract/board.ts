import * as z from 'zod'
import { BoardAgent } from '../../domain/board-agent.ts'
import { BoardRecord } from '../../domain/board-record.ts'
import { Board } from '../../domain/board.ts'
import { Run } from '../../domain/run.ts'
import { taskFlow } from '../../domain/task-flow.ts'
import { Verdict } from '../../domain/task-verdict.ts'
import { Task, TaskPlan } from '../../domain/task.ts'

const TaskState = z.enum(taskFlow.states)
const cost = z.int().nonnegative().nullable()

/** A task as a card: enough to see who has it, how it goes and what it asks. */
export type TaskCard = z.infer<typeof TaskCard>
export const TaskCard = Task.pick({
  id: true,
  status: true,
  kind: true,
  priority: true,
  assigned_to: true,
  reviewing_by: true,
  iteration: true,
  lease_expires: true,
  review_lease_expires: true,
  review_cycles_current: true,
  blocked_reason: true,
  blocked_questions: true,
  failed_by: true,
  depends_on: true,
  unmet: true,
  plan_approved_by: true,
}).extend({
  title: z.string(),
  /** When something last happened to it. */
  changed_at: z.iso.datetime(),
  /** Null where the price of a model is unknown; 0 where nobody worked on it yet. */
  cost_microusd: cost,
})

/** The first cards of a state, and how many there are. */
export type BoardColumn = z.infer<typeof BoardColumn>
export const BoardColumn = z.object({ status: TaskState, count: z.int(), cards: z.array(TaskCard) })

/** An agent and what it is at. */
export type AgentView = z.infer<typeof AgentView>
export const AgentView = BoardAgent.omit({ generation: true, board_id: true }).extend({
  /** Its newest line in the activity log. */
  last: z.object({ action: z.string(), detail: z.string(), at: z.iso.datetime() }).nullable(),
  /** The tool it called last in the turn it is in. */
  tool: z.string().nullable(),
})

/** A board, opened. */
export type BoardView = z.infer<typeof BoardView>
export const BoardView = Board.omit({ tasks_added: true }).extend({
  columns: z.array(BoardColumn),
  agents: z.array(AgentView),
  /** Finalized tasks that only a person's approval keeps from being claimed. */
  waiting_for_approval: z.int(),
  /** The store's clock: leases are shown by it, not by the browser's. */
  now: z.iso.datetime(),
})

const BoardSummary = z.object({ id: z.string(), root: z.string(), goal: z.string(), status: Board.shape.goal.shape.status })

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
  /** What a person could do with it now. */
  moves: z.array(z.string()),
  max_iterations: z.int(),
  max_review_cycles: z.int(),
  now: z.iso.datetime(),
})

/** What the work on a task changed. */
export type TaskDiff = z.infer<typeof TaskDiff>
export const TaskDiff = z.object({
  base: z.string().nullable(),
  head: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string(),
      status: z.enum(['added', 'changed', 'deleted']),
      added: z.int().nullable(),
      removed: z.int().nullable(),
      /** Null when the whole is too large to show. */
      patch: z.string().nullable(),
    }),
  ),
})

/** The files that lie in a worktree. */
export type TaskFiles = z.infer<typeof TaskFiles>
export const TaskFiles = z.object({
  worktree: z.string().nullable(),
  files: z.array(z.object({ path: z.string(), state: z.enum(['same', 'changed', 'uncommitted']) })),
  /** How many there are; not all are listed when there are very many. */
  count: z.int(),
})

/** Who waits for whom. Bounded: of a large board only what is still open, or what surrounds one task. */
export type BoardGraph = z.infer<typeof BoardGraph>
export const BoardGraph = z.object({ tasks: z.array(TaskLink.extend({ depends_on: z.array(z.string()) })), left_out: z.int() })

const point = z.object({ at: z.iso.datetime(), value: z.number() })

/** The figures of the sprint, and how they came about. All are counted from the record. */
export type SprintView = z.infer<typeof SprintView>
export const SprintView = z.object({
  tasks_total: z.int(),
  tasks_done: z.int(),
  tasks_in_progress: z.int(),
  tasks_blocked: z.int(),
  review_verdict_count: z.int(),
  review_verdict_approval_rate_percent: z.number().nullable(),
  rubber_stamp_warning: z.boolean(),
  iterations_total: z.int(),
  cycle_time_median_ms: z.number().nullable(),
  cycle_time_slowest_ms: z.number().nullable(),
  cost_microusd: cost,
  /** The cost of each role. */
  cost_by_role: z.array(z.object({ role: z.string(), runs: z.int(), cost_microusd: cost })),
  scope: z.array(point),
  merged: z.array(point),
  approval_rate: z.array(point),
  cycle_times: z.array(point.extend({ task: z.string() })),
  cost: z.array(point),
})

const ActivityView = z.object({
  seq: z.int(),
  timestamp: z.iso.datetime(),
  agent: z.string(),
  action: z.string(),
  task: z.string().optional(),
  detail: z.string(),
})

const reason = z.string().trim().min(1).max(4_000)

/** What may be said anew about a task that was blocked. */
const Redefinition = z.strictObject({
  description: TaskPlan.shape.description.exactOptional(),
  done_when: z.string().min(1).max(8_000).exactOptional(),
  scope: z.string().min(1).max(8_000).exactOptional(),
})

/** What a person may do to a task. Who does it is not said: it is the one who holds the token. */
export const PersonMove = z.discriminatedUnion('move', [
  z.strictObject({ move: z.literal('finalize') }),
  z.strictObject({
    move: z.literal('unblock'),
    answer: reason,
    changes: Redefinition.default({}),
  }),
  z.strictObject({ move: z.literal('hold'), reason }),
  z.strictObject({ move: z.literal('release'), reason, force: z.boolean().default(false) }),
  z.strictObject({ move: z.literal('abandon'), reason, root_cause: reason }),
])

export const boardContract = {
  listBoards: {
    summary: 'Every board, newest first, and whether one can be made for the workspace of this server',
    reply: z.object({
      boards: z.array(BoardSummary),
      /** The top of the repository this server was started in; null when it is in none. */
      repository: z.string().nullable(),
    }),
  },
  createBoard: {
    summary: 'Make a board for the repository this server was started in',
    body: z.strictObject({
      goal: z.string().trim().min(1).max(4_000),
      spec_ref: z.string().trim().min(1).max(1_000).optional(),
      auto_approve: z.boolean().default(false),
    }),
    reply: BoardSummary,
  },
  getBoard: { summary: 'A board: its state, its columns with their first cards, its agents', reply: BoardView },
  listCards: {
    summary: 'The cards of one state',
    query: z.object({ status: TaskState, limit: z.coerce.number().int().min(1).max(5_000).default(50) }),
    reply: BoardColumn,
  },
  getGraph: {
    summary: 'Who waits for whom: all that is open, or what surrounds one task',
    query: z.object({ around: z.string().optional() }),
    reply: BoardGraph,
  },
  getSprint: { summary: 'The figures of the sprint and how they came about', reply: SprintView },
  listRecords: {
    summary: 'What was written down about a board, newest first',
    query: z.object({ kind: z.enum(['anomaly', 'discovery', 'handoff', 'human_note', 'spec_change', 'alignment']) }),
    reply: z.object({ records: z.array(BoardRecord) }),
  },
  listActivity: {
    summary: 'The newest lines of the activity log, of the whole board or of one task',
    query: z.object({ task: z.string().optional(), limit: z.coerce.number().int().min(1).max(2_000).default(200) }),
    reply: z.object({ lines: z.array(ActivityView) }),
  },
  getTask: { summary: 'A task with its gates, verdicts and everything written down about it', reply: TaskView },
  getTaskDiff: { summary: 'What the work on a task changed, from its base to what is under review', reply: TaskDiff },
  listTaskFiles: { summary: 'The files in the worktree of a task', reply: TaskFiles },
  readTaskFile: {
    summary: 'The text of one file in the worktree of a task',
    query: z.object({ path: z.string().min(1).max(4_000) }),
    reply: z.object({ path: z.string(), text: z.string() }),
  },
  approvePlan: {
    summary: 'Approve the plan: the named tasks, or all that wait',
    body: z.strictObject({ tasks: z.array(z.string()).default([]) }),
    reply: z.object({ approved: z.array(z.string()) }),
  },
  signalBoard: {
    summary: 'Pause, resume, checkpoint or abort the whole team',
    body: z.strictObject({ signal: z.enum(['PAUSE', 'RESUME', 'CHECKPOINT', 'ABORT']), message: z.string().max(4_000).default('') }),
    reply: z.object({ signal: Board.shape.signal }),
  },
  addNote: {
    summary: 'A word to whoever works on a task, or to the whole team',
    body: z.strictObject({ task: z.string().nullable().default(null), message: reason }),
    reply: z.object({ id: z.string() }),
  },
  moveTask: { summary: 'Finalize, unblock, hold, release or abandon a task', body: PersonMove, reply: TaskLink },
}

import * as z from 'zod'
import { BoardAgent } from '../../domain/board/agent.ts'
import { Activity, BoardRecord } from '../../domain/board/record.ts'
import { Board, BoardConfig, BoardSetting, RetrospectiveNote } from '../../domain/board/board.ts'
import { Task, TaskLink } from '../../domain/board/task.ts'
import { cost, reason, TaskState } from './task.ts'

/** A task as a card: enough to see who has it, how it goes and what it asks. */
export type TaskCard = z.infer<typeof TaskCard>
export const TaskCard = Task.pick({
  id: true,
  status: true,
  kind: true,
  priority: true,
  sprint: true,
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
  estimated: z.boolean(),
})

/** The first cards of a state, and how many there are. */
export type BoardColumn = z.infer<typeof BoardColumn>
export const BoardColumn = z.object({ status: TaskState, count: z.int(), cards: z.array(TaskCard) })

/** An agent and what it is at. */
export type BoardAgentView = z.infer<typeof BoardAgentView>
export const BoardAgentView = BoardAgent.omit({ generation: true, board_id: true }).extend({
  /** Its newest line in the activity log. */
  last: z.object({ action: z.string(), detail: z.string(), at: z.iso.datetime() }).nullable(),
  /** The tool it called last in the turn it is in. */
  tool: z.string().nullable(),
})

/** A board, opened. */
export type BoardView = z.infer<typeof BoardView>
export const BoardView = Board.omit({ tasks_added: true }).extend({
  columns: z.array(BoardColumn),
  agents: z.array(BoardAgentView),
  /** Finalized tasks that only a person's approval keeps from being claimed. */
  waiting_for_approval: z.int(),
  /** How far the integration branch and the branch it is based on are apart; null where nobody can tell here. */
  base: z.object({ base_branch: z.string(), behind: z.int(), ahead: z.int() }).nullable(),
  /** The team that was started through this server: whether it is at work, and what came of the last one. */
  team: z.object({ at_work: z.boolean(), ended: z.string().nullable() }),
  /** The store's clock: leases are shown by it, not by the browser's. */
  now: z.iso.datetime(),
})

/** What an alarm tells; the key is the same for as long as its cause is. */
export type AlarmView = z.infer<typeof AlarmView>
export const AlarmView = z.object({
  alarm: z.string(),
  task: z.string().nullable(),
  agent: z.string().nullable(),
  message: z.string(),
  key: z.string(),
})

const BoardSummary = z.object({ id: z.string(), root: z.string(), goal: z.string(), status: Board.shape.goal.shape.status })

/** Who waits for whom. Bounded: of a large board only what is still open, or what surrounds one task. */
export type BoardGraph = z.infer<typeof BoardGraph>
export const BoardGraph = z.object({ tasks: z.array(TaskLink.extend({ depends_on: z.array(z.string()) })), left_out: z.int() })

const point = z.object({ at: z.iso.datetime(), value: z.number() })

/** The figures of the sprint, and how they came about. All are counted from the record. */
export type SprintView = z.infer<typeof SprintView>
export const SprintView = z.object({
  tasks_planned: z.int(),
  tasks_planned_done: z.int(),
  tasks_stretch: z.int(),
  tasks_stretch_done: z.int(),
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
  estimated: z.boolean(),
  /** The cost of each role. */
  cost_by_role: z.array(z.object({ role: z.string(), runs: z.int(), cost_microusd: cost, estimated: z.boolean() })),
  scope: z.array(point),
  merged: z.array(point),
  approval_rate: z.array(point),
  cycle_times: z.array(point.extend({ task: z.string() })),
  cost: z.array(point),
})

const ActivityView = z.object({ seq: z.int(), timestamp: z.iso.datetime(), ...Activity.shape })

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
      integration_test: z.string().trim().min(1).max(4_000).nullable().default(null),
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
  getReport: { summary: 'The sprint as a person reads it at a checkpoint, in Markdown', reply: z.object({ text: z.string() }) },
  addRetrospective: {
    summary: 'Write down what a person makes of the sprint',
    body: z.strictObject(RetrospectiveNote.shape),
    reply: z.object({ records: z.int() }),
  },
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
  listAlarms: {
    summary: 'What a person should look at now: silent agents, review loops, limits that come near, a board that stands still',
    reply: z.object({ alarms: z.array(AlarmView), count: z.int() }),
  },
  configureBoard: {
    summary: 'Change settings of a board; those left out stay as they are',
    body: z.partialRecord(BoardSetting, z.union([z.string().max(4_000), z.int(), z.boolean(), z.null()])),
    reply: BoardConfig,
  },
  syncBoard: {
    summary: 'Take what is new on the base branch into the integration branch; a conflict becomes a task',
    reply: z.object({
      outcome: z.enum(['current', 'taken_in', 'conflict', 'held']),
      /** Where the integration branch stands now. */
      head: z.string(),
      commits: z.int().optional(),
      files: z.array(z.string()).optional(),
      /** The task in which a coder settles the conflict. */
      task: z.string().nullable().optional(),
      reason: z.string().optional(),
    }),
  },
  signalBoard: {
    summary: 'Pause, resume, checkpoint or abort the whole team',
    body: z.strictObject({ signal: z.enum(['PAUSE', 'RESUME', 'CHECKPOINT', 'ABORT']), message: z.string().max(4_000).default('') }),
    reply: z.object({ signal: Board.shape.signal }),
  },
  startTeam: {
    summary: 'Put a team to work on the board until its goal is reached; it works in this server and ends with it',
    body: z.strictObject({
      planner: z.boolean().default(true),
      coders: z.int().min(0).max(20).default(1),
      reviewers: z.int().min(0).max(20).default(1),
      /** Further requests are refused once so much was spent on the board. */
      budget_usd: z.number().positive().max(1_000_000).optional(),
    }),
    reply: z.object({ started: z.literal(true) }),
  },
  stopTeam: {
    summary: 'Stop the team that was started through this server; its agents give back what they hold',
    reply: z.object({ stopped: z.literal(true) }),
  },
  freeAgent: {
    summary: 'Free the id of an agent whose process is gone, and what it held; while its lease runs only by force, with a reason',
    body: z.strictObject({ force: z.boolean().default(false), reason: z.string().max(4_000).default('') }),
    reply: z.object({ tasks: z.array(z.string()) }),
  },
  settleDiscovery: {
    summary: 'Say what becomes of an immediate discovery: a task, something for later, or nothing',
    body: z.discriminatedUnion('answer', [
      z.strictObject({ answer: z.literal('task'), task: z.string() }),
      z.strictObject({ answer: z.literal('defer'), reason }),
      z.strictObject({ answer: z.literal('dismiss'), reason }),
    ]),
    reply: z.object({ id: z.string() }),
  },
  addNote: {
    summary: 'A word to whoever works on a task, or to the whole team',
    body: z.strictObject({ task: z.string().nullable().default(null), message: reason }),
    reply: z.object({ id: z.string() }),
  },
}

import { HEARTBEAT_SECONDS, LEASE_SECONDS } from '../lease.ts'
import * as z from 'zod'
import { defineFlow } from '../flow.ts'
import { Above0 } from '../text/fields.ts'

// oxfmt-ignore
export const goalFlow = defineFlow({
  name: 'goal',
  states: ['IN_PROGRESS', 'COMPLETED', 'ABORTED'],
  initial: 'IN_PROGRESS',
  moves: {
    complete: { from: ['IN_PROGRESS'], to: 'COMPLETED', by: ['supervisor', 'human'] },
    abort:    { from: ['IN_PROGRESS'], to: 'ABORTED',   by: ['human'] },
  },
})

// oxfmt-ignore
export const sprintFlow = defineFlow({
  name: 'sprint',
  states: ['IN_PROGRESS', 'CHECKPOINT', 'COMPLETED', 'ABORTED'],
  initial: 'IN_PROGRESS',
  person: {
    is: 'human',
    does: { checkpoint: { operation: 'board.checkpoint' }, resume: { operation: 'board.resume' }, abort: { operation: 'board.abort' } },
  },
  moves: {
    checkpoint: { from: ['IN_PROGRESS'],               to: 'CHECKPOINT',  by: ['planner', 'supervisor', 'human'] },
    resume:     { from: ['CHECKPOINT'],                to: 'IN_PROGRESS', by: ['human'] },
    complete:   { from: ['IN_PROGRESS'],               to: 'COMPLETED',   by: ['supervisor'] },
    abort:      { from: ['IN_PROGRESS', 'CHECKPOINT'], to: 'ABORTED',     by: ['supervisor', 'human'] },
  },
})

const above0 = (usual: number) => Above0.default(usual)

/** What can be set about a board; durations are in seconds, as the specification has them. */
export type BoardConfig = z.infer<typeof BoardConfig>
export const BoardConfig = z.object({
  max_coder_iterations: above0(10),
  max_review_cycles: above0(5),
  heartbeat_interval: above0(HEARTBEAT_SECONDS),
  lease_duration: above0(LEASE_SECONDS),
  coder_poll_interval: above0(30),
  coder_max_wait: above0(1800),
  planner_poll_interval: above0(60),
  planner_max_wait: above0(1800),
  reviewer_poll_interval: above0(30),
  reviewer_max_wait: above0(1800),
  integration_branch: z.string().min(1).default('integration'),
  /** The branch that the work is based on: what is new there is taken into the integration branch. Null takes nothing in. */
  base_branch: z.string().min(1).nullable().default(null),
  /** The git remote, by its name in each clone, through which machines that share the board exchange their work. */
  remote: z
    .string()
    .regex(/^[A-Za-z0-9][\w.-]*$/, 'is the name of a git remote, such as origin')
    .nullable()
    .default(null),
  /** A command line that must succeed on the merged result before the integration branch moves. */
  integration_test: z.string().min(1).nullable().default(null),
  integration_timeout: above0(1800),
  /** Code is handed in for review only with a test, or with its coder's reason why not. */
  require_tests: z.boolean('takes true or false').default(true),
  /** More patterns of files that are tests, separated by spaces: checks/** *.check.js */
  test_paths: z.string().min(1).nullable().default(null),
  /** Links out of the project, keys and very large binary files are handed in only with a reason. */
  check_submissions: z.boolean('takes true or false').default(true),
  /** Tasks become claimable without a person's approval of the plan. Only ever set on purpose. */
  auto_approve: z.boolean('takes true or false').default(false),
})

/** Heartbeats for which a lease has room: with one late or lost the next still comes in time. */
const BEATS_IN_LEASE = 3

/** Why this heartbeat is too slow for the lease, and which settings would fit; null where it is not. */
export function heartbeatFault({ heartbeat_interval, lease_duration }: Pick<BoardConfig, 'heartbeat_interval' | 'lease_duration'>) {
  const longest = Math.floor(lease_duration / BEATS_IN_LEASE)
  if (heartbeat_interval <= longest) return null
  const shorter = longest === 0 ? '' : `a heartbeat_interval of at most ${longest} or `
  return `a heartbeat every ${heartbeat_interval} s is too rare for a lease_duration of ${lease_duration} s; ${shorter}a lease_duration of at least ${heartbeat_interval * BEATS_IN_LEASE} would fit`
}

/** Settings as they are given: none that a board does not know, and such as go together. What is stored stays readable, so that it can be set right. */
export const GivenConfig = BoardConfig.strict().superRefine((config, context) => {
  const fault = heartbeatFault(config)
  if (fault !== null) context.addIssue({ code: 'custom', path: ['heartbeat_interval'], message: fault })
})

const { integration_branch: _branch, remote: _remote, ...changeable } = BoardConfig.shape

/**
 * What a person may change while a team is at work, with nothing filled in: what is left out stays as it is. Where work is merged and
 * exchanged is settled when a board is opened: some is there already.
 */
export const BoardSettings = z
  .strictObject({
    max_coder_iterations: changeable.max_coder_iterations.removeDefault().describe('how often a task is tried'),
    max_review_cycles: changeable.max_review_cycles.removeDefault().describe('how often in a row a task is sent back'),
    heartbeat_interval: changeable.heartbeat_interval.removeDefault().describe('seconds between two signs of life of an agent'),
    lease_duration: changeable.lease_duration.removeDefault().describe('seconds for which a silent agent keeps its task'),
    coder_poll_interval: changeable.coder_poll_interval.removeDefault().describe('seconds'),
    coder_max_wait: changeable.coder_max_wait.removeDefault().describe('seconds'),
    planner_poll_interval: changeable.planner_poll_interval.removeDefault().describe('seconds'),
    planner_max_wait: changeable.planner_max_wait.removeDefault().describe('seconds'),
    reviewer_poll_interval: changeable.reviewer_poll_interval.removeDefault().describe('seconds'),
    reviewer_max_wait: changeable.reviewer_max_wait.removeDefault().describe('seconds'),
    base_branch: changeable.base_branch.removeDefault().describe('the branch that is taken into the integration branch, or none'),
    integration_test: changeable.integration_test.removeDefault().describe('what must succeed on a merge result, or none'),
    integration_timeout: changeable.integration_timeout.removeDefault().describe('seconds the integration test may take'),
    require_tests: changeable.require_tests.removeDefault().describe('code is handed in only with a test'),
    test_paths: changeable.test_paths.removeDefault().describe('more patterns of files that are tests, or none'),
    check_submissions: changeable.check_submissions.removeDefault().describe('links, keys and very large files need a reason'),
    auto_approve: changeable.auto_approve.removeDefault().describe('tasks are claimed without a person approving the plan'),
  } satisfies Record<keyof typeof changeable, z.ZodType>)
  .partial()

/** A command to the whole team that holds until it is taken back. */
export type BoardSignal = z.infer<typeof BoardSignal>
export const BoardSignal = z.object({
  name: z.enum(['PAUSE', 'CHECKPOINT', 'ABORT']),
  since: z.iso.datetime(),
  by: z.string(),
  message: z.string().default(''),
})

const CircuitTrigger = z.object({
  timestamp: z.iso.datetime(),
  pattern: z.string(),
  severity: z.string(),
  /** What the breaker did: stop the team for a look, or send it home. */
  response: z.enum(['checkpoint', 'halt']).default('checkpoint'),
  report_file: z.string().nullable().default(null),
})

const texts = z.array(z.string().trim().min(1).max(2_000)).max(50).default([])

/** What a person makes of a sprint, beside the figures it stood at. */
export const RetrospectiveNote = z.object({
  notes: z.string().trim().min(1).max(20_000).describe('what went well, what did not, and why'),
  spec_gaps: texts.describe('what the specs did not say and should'),
  actions: texts.describe('what to do about it'),
})

/** What was decided at checkpoints, and what a person made of the sprint. */
const Retrospective = z.looseObject({
  decisions: z.array(z.object({ timestamp: z.iso.datetime(), by: z.string(), decision: z.string() })).default([]),
  records: z
    .array(RetrospectiveNote.extend({ timestamp: z.iso.datetime(), by: z.string(), metrics: z.record(z.string(), z.number()) }))
    .default([]),
})

/** One board: a goal, the sprint that is on, and how its team works. Tasks and agents are records of their own. */
export type Board = z.infer<typeof Board>
export const Board = z.object({
  id: z.string(),
  version: z.literal(1).default(1),
  /** The top of the repository whose tasks these are. */
  root: z.string(),
  /** What `config.remote` stands for where the board was made: by it other clones of the repository find their board. */
  remote_url: z.string().nullable().default(null),
  goal: z.object({
    id: z.string(),
    description: z.string().min(1),
    spec_ref: z.string().nullable(),
    /** The explicit wish of the one who began the goal that its spec file need not exist. */
    spec_file_unchecked: z.boolean().default(false),
    created: z.iso.datetime(),
    status: z.enum(goalFlow.states),
  }),
  sprint: z.object({
    id: z.string(),
    goal_ref: z.string(),
    status: z.enum(sprintFlow.states),
    timeline: z.object({
      started: z.iso.datetime(),
      deadline: z.iso.datetime().nullable().default(null),
      checkpoint_at: z.iso.datetime().nullable().default(null),
      ended: z.iso.datetime().nullable().default(null),
    }),
    retrospective: Retrospective.nullable().default(null),
  }),
  circuit_breaker: z
    .object({
      last_check: z.iso.datetime().nullable().default(null),
      status: z.enum(['OK', 'TRIGGERED']).default('OK'),
      current_trigger: CircuitTrigger.nullable().default(null),
      /** A look that found nothing has no pattern. */
      history: z.array(z.looseObject({ timestamp: z.iso.datetime(), pattern: z.string().nullable().default(null) })).default([]),
    })
    .prefault({}),
  config: BoardConfig,
  signal: BoardSignal.nullable().default(null),
  /** How many tasks were ever added. */
  tasks_added: z.int().nonnegative().default(0),
  /** How many of them were made to settle a conflict with the base branch; they are no plan. */
  base_tasks: z.int().nonnegative().default(0),
})

/** Every board has a `task-1` and a `coder-1`; in the store they are told apart by their board. */
export function boardKey({ board_id, id }: { board_id: string; id: string }): string {
  return `${board_id}/${id}`
}

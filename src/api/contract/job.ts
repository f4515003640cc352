import * as z from 'zod'
import { Job, JobId, JobMove, JobReason } from '../../domain/job/job.ts'
import { jobFlow, JobSeat } from '../../domain/job/flow.ts'
import { InteractionRequest, JobInteraction, ReplayDifference } from '../../domain/job/history.ts'

/** A job in a list. */
export type JobSummary = z.infer<typeof JobSummary>
export const JobSummary = z.object({
  id: z.string(),
  status: z.enum(jobFlow.states),
  reason: JobReason.nullable(),
  reason_text: z.string(),
  title: z.string(),
  phase: z.object({ name: z.string(), number: z.int(), of: z.int() }),
  queue: z.int().nullable(),
  seat: JobSeat.nullable(),
  needs_person: z.boolean(),
  cost_microusd: z.int().nullable(),
  max_cost_microusd: z.int().nullable(),
  worked_ms: z.int(),
  iterations: z.int(),
  rounds: z.int(),
  updated_at: z.iso.datetime(),
})

/** A job, opened: the record, and what its Steward can do now. */
export type JobView = z.infer<typeof JobView>
export const JobView = z.object({
  summary: JobSummary,
  job: Job,
  possible_moves: z.array(z.string()),
  /** What speaks against approving the work that waits for it. */
  doubts: z.array(z.string()),
  /** Whether a living process works on it; a job with an agent at work and none has lost its process. */
  worked_on: z.boolean(),
  has_workspace: z.boolean(),
  seq: z.int(),
})

/** What the Steward can do from a screen. */
export type StewardMove = z.infer<typeof StewardMove>
export const StewardMove = z.enum([
  'activate',
  'approve',
  'reject',
  'resubmit',
  'resubmit_review',
  'suspend',
  'resume',
  'cancel',
  'recover',
])

/** Some of the settings of a job; what is not given stays. The verb checks them against the one schema, for defaults must not fill what was left out. */
const settings = z.record(z.string(), z.unknown())

const MetricsGroup = z.object({
  role: z.string(),
  model: z.string(),
  interactions: z.int(),
  COMPLETED: z.int(),
  STUCK: z.int(),
  RETRY: z.int(),
  invalid: z.int(),
  failed: z.int(),
  success_rate: z.number(),
  cost_microusd: z.int().nullable(),
  tokens: z.int(),
  took_ms: z.number(),
})

/** What was used, and how well. */
export type JobMetricsView = z.infer<typeof JobMetricsView>
export const JobMetricsView = z.object({
  jobs: z.record(z.string(), z.int()),
  groups: z.array(MetricsGroup),
  steps: z.array(
    z.object({
      job_id: z.string(),
      sequence: z.int(),
      timestamp: z.string(),
      seat: z.string(),
      phase: z.string(),
      role: z.string(),
      model: z.string(),
      simulated: z.boolean(),
      result: z.string(),
      cost_microusd: z.int().nullable(),
      tokens: z.int(),
      took_ms: z.number(),
    }),
  ),
  projection: z.object({ phases_left: z.int(), cost_microusd: z.int().nullable(), took_ms: z.number() }).nullable(),
})

export const jobContract = {
  listJobs: { summary: 'All jobs, the queue first', reply: z.object({ jobs: z.array(JobSummary) }) },
  createJob: {
    summary: 'Make a job as a draft, and activate it if wanted',
    body: z.strictObject({
      id: JobId,
      source: z.string().min(1),
      base: z.string().min(1).optional(),
      activate: z.boolean().default(false),
      settings,
    }),
    reply: JobView,
  },
  getJob: { summary: 'One job, and what its Steward can do', reply: JobView },
  configureJob: {
    summary: 'Change the settings of a job, or its place in the queue',
    body: z.strictObject({ settings: settings.optional(), rank: z.int().min(-1).optional() }),
    reply: JobView,
  },
  listExchanges: {
    summary: 'The exchanges of a job, newest first, or those before a number, with what was decided between them',
    query: z.object({ before: z.coerce.number().int().optional(), limit: z.coerce.number().int().min(1).max(500).default(50) }),
    reply: z.object({ exchanges: z.array(JobInteraction), moves: z.array(JobMove), earlier: z.boolean() }),
  },
  previewJob: {
    summary: 'Who acts next, and with which prompt',
    reply: z.object({
      job_id: z.string(),
      status: z.enum(jobFlow.states),
      seat: JobSeat,
      limit: z.object({ reason: JobReason, text: z.string() }).nullable(),
      request: InteractionRequest,
    }),
  },
  diffJob: {
    summary: 'What a job has changed since its base',
    reply: z.object({
      base_commit: z.string(),
      head_commit: z.string(),
      files: JobInteraction.shape.evidence.shape.changed,
      patch: z.string(),
    }),
  },
  jobMetrics: {
    summary: 'Success by role and model, cost and retries; of all jobs, or of one',
    query: z.object({ job: z.string().optional() }),
    reply: JobMetricsView,
  },
  replayJob: {
    summary: 'Play the record through today’s rules and report every difference',
    query: z.object({ from: z.coerce.number().int().min(1).default(1) }),
    reply: z.object({ job_id: z.string(), interactions: z.int(), differences: z.array(ReplayDifference) }),
  },
  moveJob: {
    summary: 'A decision of the Steward; reasons and notes stand in the next prompt',
    body: z.strictObject({
      move: StewardMove,
      note: z.string().max(10_000).default(''),
      moves: z.int().optional().describe('The moves of the job as it was read; one that has moved since is not decided about unread.'),
    }),
    reply: JobView,
  },
  stepJob: {
    summary: 'Have the next agent work: one step, or until a person is needed',
    body: z.strictObject({ how_far: z.enum(['step', 'run']).default('step') }),
    reply: z.object({ started: z.literal(true) }),
  },
}

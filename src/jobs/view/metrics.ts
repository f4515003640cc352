import * as z from 'zod'
import { isFinal } from '../../domain/flow.ts'
import { jobFlow } from '../../domain/job/flow.ts'
import type { JobInteraction } from '../../domain/job/history.ts'
import { phaseOf, type Job } from '../../domain/job/job.ts'
import { defineOperation } from '../../domain/operation.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { jobs } from '../../store/tables.ts'
import type { JobReader } from '../context.ts'
import { NamedJob } from '../steward/decision.ts'
import { everyInteraction, lastSequences } from './history.ts'

const Cost = z.int().nullable().describe('null when the price of one answer is unknown')

type Step = z.infer<typeof Step>
const Step = z.object({
  job_id: z.string(),
  sequence: z.int(),
  timestamp: z.string(),
  seat: z.string(),
  phase: z.string(),
  role: z.string(),
  model: z.string(),
  simulated: z.boolean(),
  result: z.string(),
  cost_microusd: Cost,
  estimated: z.boolean(),
  tokens: z.int(),
  took_ms: z.number(),
})

/** How those who answered under one role and model did. */
type MetricsGroup = z.infer<typeof MetricsGroup>
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
  cost_microusd: Cost,
  estimated: z.boolean(),
  tokens: z.int(),
  took_ms: z.number(),
})

/** What was used, and how well. */
export type JobMetrics = z.infer<typeof JobMetrics>
const JobMetrics = z.object({
  jobs: z.record(z.string(), z.int()),
  groups: z.array(MetricsGroup),
  steps: z.array(Step),
  projection: z.object({ phases_left: z.int(), cost_microusd: Cost, estimated: z.boolean(), took_ms: z.number() }).nullable(),
})

/** Answers that people gave are among the steps and count for nobody. */
export const measureJobs = defineOperation({
  name: 'job.metrics',
  summary: 'Show success by role and model, cost, time and retries; without a name, of all jobs',
  by: ['person'],
  effect: 'read',
  command: 'job metrics [job]',
  input: NamedJob.partial(),
  output: JobMetrics,
  example: { job: 'greet' },
  tell: ({ steps }) => counted(steps.length, 'step'),
  run: async ({ agent: { driver } }: JobReader, { job: jobId }) => {
    const found = jobId === undefined ? await jobs.items(driver) : [(await jobs.get(driver, jobId)).item]
    const last = await lastSequences(driver)
    const steps: Step[] = []
    for (const { id } of found) steps.push(...(await stepsUpTo(driver, id, last.get(id) ?? 0)))
    const byAgents = steps.filter(({ simulated }) => !simulated)
    const [job] = found
    return {
      jobs: Object.fromEntries([...Map.groupBy(found, ({ status }) => status)].map(([status, of]) => [status, of.length])),
      groups: [...Map.groupBy(byAgents, ({ role, model }) => `${role}\n${model}`).values()].map(groupOf),
      steps,
      projection: jobId === undefined || job === undefined ? null : projectionOf(job, byAgents),
    }
  },
})

const known = new WeakMap<Driver, Map<string, readonly Step[]>>()

/** An exchange never changes once it is recorded, and its prompt may be long: only those that were not seen before are read. */
async function stepsUpTo(driver: Driver, jobId: string, last: number): Promise<readonly Step[]> {
  const seen = known.get(driver) ?? new Map<string, readonly Step[]>()
  const before = seen.get(jobId) ?? []
  const after = before.at(-1)?.sequence ?? 0
  if (last <= after) return before
  const fresh: Step[] = []
  for await (const interaction of everyInteraction(driver, jobId, after)) fresh.push(stepOf(interaction))
  const steps = [...before, ...fresh]
  known.set(driver, seen.set(jobId, steps))
  return steps
}

/** The steps as a table for other programs. */
export function metricsCsv({ steps }: Pick<JobMetrics, 'steps'>): string {
  const [first] = steps
  if (first === undefined) return ''
  const columns = Object.keys(first) as (keyof Step)[] // keys of a step are its columns
  return [columns.join(','), ...steps.map((step) => columns.map((column) => cell(step[column])).join(','))].join('\n')
}

function stepOf({ job_id, sequence, seat, simulated, failure, usage, took_ms, interaction }: JobInteraction): Step {
  const { request, response, timestamp } = interaction
  const { role, model, phase } = request.metadata
  const result = failure === null ? (response.actions[0] ?? response.status) : 'FAILED'
  const tokens = usage.input_tokens + usage.output_tokens
  return {
    job_id,
    sequence,
    timestamp,
    seat,
    phase,
    role,
    model,
    simulated,
    result,
    cost_microusd: usage.cost_microusd,
    estimated: usage.estimated === true,
    tokens,
    took_ms,
  }
}

function groupOf(steps: readonly Step[]): MetricsGroup {
  const count = (result: string) => steps.filter((step) => step.result === result).length
  const COMPLETED = count('COMPLETED')
  return {
    role: steps[0]?.role ?? '',
    model: steps[0]?.model ?? '',
    interactions: steps.length,
    COMPLETED,
    STUCK: count('STUCK'),
    RETRY: count('RETRY'),
    invalid: count('INVALID'),
    failed: count('FAILED'),
    success_rate: COMPLETED / Math.max(1, steps.length),
    cost_microusd: costOf(steps),
    estimated: steps.some(({ estimated }) => estimated),
    tokens: sum(steps, ({ tokens }) => tokens),
    took_ms: sum(steps, ({ took_ms }) => took_ms),
  }
}

/** What the rest would cost and take if it went on like this. Only what agents did counts; a phase that took three rounds makes the next ones look like three rounds too. */
function projectionOf(job: Job, steps: readonly Step[]) {
  const { number, of } = phaseOf(job)
  const phases_left = isFinal(jobFlow, job.status) ? 0 : of - number + 1
  const begun = Math.max(1, new Set(steps.map(({ phase }) => phase)).size)
  const cost = costOf(steps)
  return {
    phases_left,
    cost_microusd: cost === null ? null : Math.round((cost / begun) * phases_left),
    estimated: steps.some(({ estimated }) => estimated),
    took_ms: Math.round((sum(steps, ({ took_ms }) => took_ms) / begun) * phases_left),
  }
}

function costOf(steps: readonly Step[]): number | null {
  return steps.some(({ cost_microusd }) => cost_microusd === null) ? null : sum(steps, ({ cost_microusd }) => cost_microusd ?? 0)
}

function sum(steps: readonly Step[], pick: (step: Step) => number): number {
  return steps.reduce((total, step) => total + pick(step), 0)
}

/** A cell that a spreadsheet reads as text even where it looks like a formula. */
function cell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value)
  const plain = /^[=+@-]/.test(text) && typeof value === 'string' ? `'${text}` : text
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

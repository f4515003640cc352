import * as z from 'zod'
import { defineFlow } from './flow.ts'
import { Permission } from './permission.ts'
import { Bounds, unbounded } from './bounds.ts'
import { noUsage, Usage } from './entry.ts'
import { Reasoning } from './reasoning.ts'
import { QuotaWait } from './quota/quota.ts'

/** Limits of a run; each refuses the next call once reached. Tokens and cost also count what `spent_before` says. */
export type Limits = z.infer<typeof Limits>
export const Limits = z.object({
  max_turns: z.int().positive().default(100).describe('requests to a model in one run'),
  max_tokens: noneUnlessSet(z.int().positive(), 'tokens in one run, both ways together', 2_000_000),
  max_cost_microusd: noneUnlessSet(z.int().nonnegative(), 'millionths of a dollar in one run', 5_000_000),
  max_wall_ms: noneUnlessSet(z.int().positive(), 'milliseconds from the start of a run', 1_800_000),
})

function noneUnlessSet(limit: z.ZodInt, description: string, example: number) {
  return limit
    .nullable()
    .default(null)
    .meta({ description, examples: [example] })
}

const { max_turns, max_tokens, max_cost_microusd, max_wall_ms } = Limits.shape

/** Some of the limits, to be changed; what is left out stays as it is, so nothing is filled in here. */
export type LimitsChange = z.infer<typeof LimitsChange>
export const LimitsChange = z.strictObject({
  max_turns: max_turns.removeDefault().exactOptional(),
  max_tokens: max_tokens.removeDefault().exactOptional(),
  max_cost_microusd: max_cost_microusd.removeDefault().exactOptional(),
  max_wall_ms: max_wall_ms.removeDefault().exactOptional(),
})

export const runFlow = defineFlow({
  name: 'run',
  states: ['running', 'waiting', 'completed', 'failed', 'stopped'],
  initial: 'running',
  moves: {
    wait: { from: ['running'], to: 'waiting', by: ['runtime'] },
    resume: { from: ['waiting', 'running'], to: 'running', by: ['runtime'] },
    complete: { from: ['running'], to: 'completed', by: ['runtime'] },
    fail: { from: ['running', 'waiting'], to: 'failed', by: ['runtime'] },
    stop: { from: ['running', 'waiting'], to: 'stopped', by: ['user', 'runtime'] },
  },
})

/** One agent at work on a thread, from a prompt to an answer. Held by one process at a time, through a lease. */
export type Run = z.infer<typeof Run>
export const Run = z.object({
  id: z.string(),
  thread_id: z.string(),
  parent_run_id: z.string().nullable().default(null),
  agent_role: z.string(),
  permissions: z.array(Permission),
  ceiling: z.array(Permission),
  bounds: Bounds.default(unbounded),
  depth: z.int().nonnegative().default(0),
  model: z.string(),
  workspace: z.string(),
  plan_id: z.string().nullable().default(null),
  status: z.enum(runFlow.states),
  reason: z.string().nullable().default(null),
  question_id: z.string().nullable().default(null),
  holder: z.string().nullable().default(null),
  lease_expires: z.iso.datetime().nullable().default(null),
  turns: z.int().nonnegative().default(0),
  /** How full the model's context was at the last turn, and how much it holds, where that is known. */
  context_tokens: z.int().nonnegative().default(0),
  context_window: z.int().positive().nullable().default(null),
  /** The run only sums up its thread; `focus` is what matters most to who asked for it. */
  compaction: z.object({ focus: z.string() }).nullable().default(null),
  reasoning: Reasoning.nullable().default(null),
  /** The files of instructions its agent was told at its start. */
  instructions: z.array(z.string()).default([]),
  usage: Usage,
  /** What its thread had used before it, where the limits hold over the whole thread. */
  spent_before: Usage.default(noUsage),
  limits: Limits,
  /** The limit of a provider that it waits for at this moment; it goes on by itself. */
  quota: QuotaWait.nullable().default(null),
  /** How long it has waited for such limits: that time counts against no limit of its own. */
  waited_ms: z.int().nonnegative().default(0),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable().default(null),
})

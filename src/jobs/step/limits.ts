import { dollars, durationText } from '../../domain/text/format.ts'
import { seatFor } from '../../domain/job/flow.ts'
import type { Limits } from '../../domain/run.ts'
import type { Job, JobReason } from '../../domain/job/job.ts'

/** The limit that forbids the next step, or null. A cost that is unknown cannot be held against a limit, so it stops the job too. */
export function reachedJobLimit({ status, limits, usage, worked_ms, iterations }: Job): { reason: JobReason; text: string } | null {
  const { max_cost_microusd, max_wall_ms, max_iterations } = limits
  const then = `then resubmit the job${seatFor(status) === 'supervisor' ? ' to review' : ''}`
  const raise = (setting: string) => `; raise its setting ${setting}, ${then}`
  if (max_cost_microusd !== null && usage.cost_microusd === null)
    return { reason: 'cost', text: `an answer had no price, so the cost limit cannot be kept; set max_cost_usd to none, ${then}` }
  if (max_cost_microusd !== null && (usage.cost_microusd ?? 0) >= max_cost_microusd)
    return {
      reason: 'cost',
      text: `${dollars(usage.cost_microusd ?? 0)} of ${dollars(max_cost_microusd)} are spent${raise('max_cost_usd')}`,
    }
  if (max_wall_ms !== null && worked_ms >= max_wall_ms)
    return { reason: 'time', text: `${durationText(worked_ms)} of ${durationText(max_wall_ms)} are used${raise('max_minutes')}` }
  if (iterations >= max_iterations)
    return { reason: 'iterations', text: `${iterations} of ${max_iterations} steps are made${raise('max_iterations')}` }
  return null
}

/** What one run may use: what is left to the job, no more than a step may, and no more than any run may where the job works. */
export function runLimits({ limits, usage, worked_ms }: Job, here: Limits): Limits {
  const cost = limits.max_cost_microusd === null ? null : Math.max(0, limits.max_cost_microusd - (usage.cost_microusd ?? 0))
  const time = limits.max_wall_ms === null ? null : limits.max_wall_ms - worked_ms
  return {
    max_turns: limits.max_turns,
    max_tokens: here.max_tokens,
    max_cost_microusd: lowest(cost, here.max_cost_microusd),
    max_wall_ms: Math.max(1, lowest(limits.max_step_ms, time, here.max_wall_ms) ?? 1),
  }
}

/** Null is no limit. */
function lowest(...limits: (number | null)[]): number | null {
  const set = limits.filter((limit) => limit !== null)
  return set.length === 0 ? null : Math.min(...set)
}

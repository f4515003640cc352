import type { Usage } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { Run } from '../domain/run.ts'

/** Nothing used yet; a cost of 0 is known, `null` is not. */
export const noUsage: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_microusd: 0 }

/** Two usages together. One unknown price makes the sum unknown: a sum that leaves it out would look like a bill. */
export function addUsage(sum: Usage, more: Usage): Usage {
  return {
    input_tokens: sum.input_tokens + more.input_tokens,
    cached_input_tokens: sum.cached_input_tokens + more.cached_input_tokens,
    output_tokens: sum.output_tokens + more.output_tokens,
    cost_microusd: sum.cost_microusd === null || more.cost_microusd === null ? null : sum.cost_microusd + more.cost_microusd,
  }
}

/** Refuses the next request to a model once a limit of the run is reached. */
export function refuseBeyondLimits(run: Run, workedMs: number): void {
  const { max_turns, max_tokens, max_cost_microusd, max_wall_ms } = run.limits
  const { input_tokens, output_tokens, cost_microusd } = run.usage
  if (run.turns >= max_turns) {
    throw new Problem('turn_limit', `${run.agent_role} did not finish in ${max_turns} turns; resume the run with a higher --max-turns`)
  }
  if (max_tokens !== null && input_tokens + output_tokens >= max_tokens) {
    throw new Problem('budget', `${run.agent_role} used ${input_tokens + output_tokens} of ${max_tokens} tokens; the next call is refused`)
  }
  if (max_cost_microusd !== null && cost_microusd === null) {
    throw new Problem('budget', `the price of ${run.model} is unknown, so its cost limit cannot be kept; limit tokens or turns instead`)
  }
  if (max_cost_microusd !== null && cost_microusd !== null && cost_microusd >= max_cost_microusd) {
    throw new Problem(
      'budget',
      `${run.agent_role} spent ${dollars(cost_microusd)} of ${dollars(max_cost_microusd)}; the next call is refused`,
    )
  }
  if (max_wall_ms !== null && workedMs >= max_wall_ms) {
    throw new Problem('budget', `${run.agent_role} worked for ${workedMs} of ${max_wall_ms} ms; the next call is refused`)
  }
}

function dollars(microusd: number): string {
  return `$${(microusd / 1_000_000).toFixed(microusd < 10_000 ? 6 : 2)}`
}

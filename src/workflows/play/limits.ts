import { usageOfThread } from '../../agent/limits.ts'
import { dollars } from '../../domain/text/dollars.ts'
import { Problem } from '../../domain/problem.ts'
import type { Limits } from '../../domain/run.ts'
import type { WorkflowPlay } from '../../domain/workflow/play.ts'
import type { Driver } from '../../store/driver.ts'

/** What the next run may spend, or a refusal where nothing is left: tokens, money and time are counted over the whole workflow, turns for each step. */
export async function limitsLeft(driver: Driver, { id, limits, worked_ms }: WorkflowPlay): Promise<Limits> {
  const { max_tokens, max_cost_microusd, max_wall_ms } = limits
  if (max_tokens === null && max_cost_microusd === null && max_wall_ms === null) return limits
  const { input_tokens, output_tokens, cost_microusd: cost } = await usageOfThread(driver, id)
  const tokens = input_tokens + output_tokens
  if (max_tokens !== null && tokens >= max_tokens)
    throw new Problem('budget', `the workflow used ${tokens} of ${max_tokens} tokens; the next call is refused`)
  if (max_cost_microusd !== null && cost === null)
    throw new Problem('budget', 'a step of the workflow had no price, so its cost limit cannot be kept; limit its turns instead')
  if (max_cost_microusd !== null && cost !== null && cost >= max_cost_microusd)
    throw new Problem('budget', `the workflow spent ${dollars(cost)} of ${dollars(max_cost_microusd)}; the next call is refused`)
  if (max_wall_ms !== null && worked_ms >= max_wall_ms)
    throw new Problem('budget', `the workflow was worked on for ${worked_ms} of ${max_wall_ms} ms; the next call is refused`)
  return {
    ...limits,
    max_tokens: max_tokens === null ? null : max_tokens - tokens,
    max_cost_microusd: max_cost_microusd === null ? null : max_cost_microusd - (cost ?? 0),
    max_wall_ms: max_wall_ms === null ? null : max_wall_ms - worked_ms,
  }
}

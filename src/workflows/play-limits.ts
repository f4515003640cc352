import { dollars } from '../domain/dollars.ts'
import { Problem } from '../domain/problem.ts'
import type { Limits } from '../domain/run.ts'
import type { WorkflowPlay } from '../domain/workflow-play.ts'
import type { Driver } from '../store/driver.ts'
import { runs } from '../store/tables.ts'

/** What the next run may spend, or a refusal where nothing is left: tokens, money and time are counted over the whole workflow, turns for each step. */
export async function limitsLeft(driver: Driver, { id, limits, worked_ms }: WorkflowPlay): Promise<Limits> {
  const { max_tokens, max_cost_microusd, max_wall_ms } = limits
  if (max_tokens === null && max_cost_microusd === null && max_wall_ms === null) return limits
  const before = (await runs.items(driver, { where: { thread_id: id } })).map(({ usage }) => usage)
  const tokens = before.reduce((sum, usage) => sum + usage.input_tokens + usage.output_tokens, 0)
  const cost = before.reduce((sum, usage) => sum + (usage.cost_microusd ?? 0), 0)
  if (max_tokens !== null && tokens >= max_tokens)
    throw new Problem('budget', `the workflow used ${tokens} of ${max_tokens} tokens; the next call is refused`)
  if (max_cost_microusd !== null && cost >= max_cost_microusd)
    throw new Problem('budget', `the workflow spent ${dollars(cost)} of ${dollars(max_cost_microusd)}; the next call is refused`)
  if (max_wall_ms !== null && worked_ms >= max_wall_ms)
    throw new Problem('budget', `the workflow was worked on for ${worked_ms} of ${max_wall_ms} ms; the next call is refused`)
  return {
    ...limits,
    max_tokens: max_tokens === null ? null : max_tokens - tokens,
    max_cost_microusd: max_cost_microusd === null ? null : max_cost_microusd - cost,
    max_wall_ms: max_wall_ms === null ? null : max_wall_ms - worked_ms,
  }
}

import { dollars } from '../domain/text/format.ts'
import { noUsage, type Usage } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { AskedLimit } from '../domain/question.ts'
import type { Run } from '../domain/run.ts'
import type { Driver } from '../store/driver.ts'
import { runs } from '../store/run-tables.ts'

/** Two usages together. One unknown price makes the sum unknown: a sum that leaves it out would look like a bill. */
export function addUsage(sum: Usage, more: Usage): Usage {
  return {
    input_tokens: sum.input_tokens + more.input_tokens,
    cached_input_tokens: sum.cached_input_tokens + more.cached_input_tokens,
    output_tokens: sum.output_tokens + more.output_tokens,
    cost_microusd: sum.cost_microusd === null || more.cost_microusd === null ? null : sum.cost_microusd + more.cost_microusd,
    ...((sum.estimated ?? more.estimated) && { estimated: true }),
  }
}

/** What several runs have used together. */
export function usageOf(all: readonly Pick<Run, 'usage'>[]): Usage {
  return all.reduce((sum, { usage }) => addUsage(sum, usage), noUsage)
}

/** What all runs of a thread have used together. */
export async function usageOfThread(driver: Driver, thread_id: string): Promise<Usage> {
  return usageOf(await runs.items(driver, { where: { thread_id } }))
}

/** A limit that is reached: which one, what is used of it (null where that is unknown), and the refusal. */
export interface ReachedLimit {
  name: AskedLimit['name']
  used: number | null
  limit: number
  problem: Problem
}

/** The first limit of a run that is reached, so that the next request to a model must not be made. */
export function reachedRunLimit(run: Run, workedMs: number): ReachedLimit | null {
  const { max_turns, max_tokens, max_cost_microusd, max_wall_ms } = run.limits
  const { input_tokens, output_tokens, cost_microusd } = addUsage(run.spent_before, run.usage)
  const tokens = input_tokens + output_tokens
  const who = run.agent_role
  if (run.turns >= max_turns) {
    const problem = new Problem('turn_limit', `${who} did not finish in ${max_turns} turns; raise max_turns to continue`)
    return { name: 'max_turns', used: run.turns, limit: max_turns, problem }
  }
  if (max_tokens !== null && tokens >= max_tokens) {
    const problem = new Problem('budget', `${who} used ${tokens} of ${max_tokens} tokens; the next call is refused`)
    return { name: 'max_tokens', used: tokens, limit: max_tokens, problem }
  }
  if (max_cost_microusd !== null && (cost_microusd === null || cost_microusd >= max_cost_microusd)) {
    const problem = new Problem('budget', costRefusal(run, cost_microusd, max_cost_microusd))
    return { name: 'max_cost_microusd', used: cost_microusd, limit: max_cost_microusd, problem }
  }
  if (max_wall_ms === null || workedMs < max_wall_ms) return null
  const problem = new Problem('budget', `${who} worked for ${workedMs} of ${max_wall_ms} ms; the next call is refused`)
  return { name: 'max_wall_ms', used: workedMs, limit: max_wall_ms, problem }
}

function costRefusal({ agent_role, model }: Run, cost: number | null, limit: number): string {
  if (cost === null) return `the price of ${model} is unknown, so its cost limit cannot be kept; limit tokens or turns instead`
  return `${agent_role} spent ${dollars(cost)} of ${dollars(limit)}; the next call is refused`
}

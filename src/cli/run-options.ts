import { Problem } from '../domain/problem.ts'
import type { Limits } from '../domain/run.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** The value of `--output-format`. */
export function outputFormat(value: string): OutputFormat {
  if (value === 'text' || value === 'json' || value === 'stream-json') return value
  throw new Problem('bad_input', `--output-format is ${value}; it takes text, json or stream-json`)
}

/** The limits given on the command line. */
export function limitsFrom({ maxTurns, maxBudgetUsd }: { maxTurns?: string; maxBudgetUsd?: string }): Partial<Limits> {
  return {
    ...(maxTurns !== undefined && { max_turns: turns(maxTurns) }),
    ...(maxBudgetUsd !== undefined && { max_cost_microusd: microdollars(maxBudgetUsd) }),
  }
}

function turns(value: string): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number > 0 && Number.isSafeInteger(number)) return number
  throw new Problem('bad_input', `--max-turns is ${value}; it takes a whole number above 0`)
}

function microdollars(value: string): number {
  const number = Math.round(Number(value) * 1_000_000)
  if (/^\d+(\.\d+)?$/.test(value) && Number.isSafeInteger(number)) return number
  throw new Problem('bad_input', `--max-budget-usd is ${value}; it takes an amount in dollars such as 0.50`)
}

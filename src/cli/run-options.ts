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
    ...(maxBudgetUsd !== undefined && { max_cost_microusd: microdollars('--max-budget-usd', maxBudgetUsd) }),
  }
}

function turns(value: string): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number > 0 && Number.isSafeInteger(number)) return number
  throw new Problem('bad_input', `--max-turns is ${value}; it takes a whole number above 0`)
}

/** An amount that was given in dollars. */
export function microdollars(option: string, value: string): number {
  const amount = Math.round(Number(value) * 1_000_000)
  if (/^\d+(\.\d+)?$/.test(value) && Number.isSafeInteger(amount)) return amount
  throw new Problem('bad_input', `${option} is ${value}; it takes an amount in dollars such as 0.50`)
}

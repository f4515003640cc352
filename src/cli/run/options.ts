import { Option } from 'commander'
import { Problem } from '../../domain/problem.ts'
import { Reasoning } from '../../domain/reasoning.ts'
import type { Limits } from '../../domain/run.ts'

export type OutputFormat = 'text' | 'json' | 'stream-json'

/** The value of `--output-format`. */
export function outputFormat(value: string): OutputFormat {
  if (value === 'text' || value === 'json' || value === 'stream-json') return value
  throw new Problem('bad_input', `--output-format is ${value}; it takes text, json or stream-json`)
}

/** How long the model thinks, for a run or a new chat. */
export function reasoningOption(): Option {
  return new Option('--reasoning <effort>', 'how long the model thinks; as the role says when left out').choices(Reasoning.options)
}

/** The limits given on the command line. */
export function limitsFrom({ maxTurns, maxBudgetUsd }: { maxTurns?: string; maxBudgetUsd?: string }): Partial<Limits> {
  return {
    ...(maxTurns !== undefined && { max_turns: wholeNumber('--max-turns', maxTurns, { from: 1 }) }),
    ...(maxBudgetUsd !== undefined && { max_cost_microusd: microdollars('--max-budget-usd', maxBudgetUsd) }),
  }
}

/** A whole number that was given with an option. */
export function wholeNumber(option: string, word: string, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}): number {
  const number = Number(word)
  if (/^\d+$/.test(word) && number >= from && number <= to) return number
  const end = to === Number.MAX_SAFE_INTEGER ? 'on' : `to ${to}`
  throw new Problem('bad_input', `${option} is ${JSON.stringify(word)}; it takes a whole number from ${from} ${end}`)
}

/** An amount that was given in dollars. */
export function microdollars(option: string, value: string): number {
  const amount = Math.round(Number(value) * 1_000_000)
  if (/^\d+(\.\d+)?$/.test(value) && Number.isSafeInteger(amount)) return amount
  throw new Problem('bad_input', `${option} is ${value}; it takes an amount in dollars such as 0.50`)
}

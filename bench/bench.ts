import { spawnSync } from 'node:child_process'
import { performance } from 'node:perf_hooks'

/** One measured line. With a floor (the same work done barely, in the same run) the budget is a ratio to it; without, it is in `unit`. */
export interface Row {
  what: string
  unit: 'ms' | 'µs' | 'MiB' | 'kB' | 'per s' | '%' | 'tokens'
  ours: number
  floor?: number
  budget: { at_most: number } | { at_least: number }
  /** Where the budget cannot be kept: the reason, for whoever reads the page. */
  why?: string
}

/** What every file in `bench/` exports as `bench`; its name is the heading over its rows. */
export interface Bench {
  name: string
  run: () => Promise<Row[]>
}

/** The number that is held against the budget. */
export function judged(row: Row): number {
  return row.floor === undefined ? row.ours : row.ours / row.floor
}

/** Whether a line keeps its budget. */
export function within(row: Row): boolean {
  return 'at_most' in row.budget ? judged(row) <= row.budget.at_most : judged(row) >= row.budget.at_least
}

/** Milliseconds of the quickest of several tries of each work; tries alternate, so that a noisy moment hits all alike. */
export async function quickest<Name extends string>(tries: number, works: Record<Name, () => unknown>): Promise<Record<Name, number>> {
  const names = Object.keys(works) as Name[] // keys of a Record<Name, …> are its names
  const best = Object.fromEntries(names.map((name) => [name, Infinity])) as Record<Name, number> // one entry for each name
  for (let at = 0; at < tries; at++) {
    for (const name of names) {
      const started = performance.now()
      await works[name]()
      best[name] = Math.min(best[name], performance.now() - started)
    }
  }
  return best
}

/** Runs a program to its end without output; throws when it fails, so that a crash is never taken for speed. */
export function runToEnd(program: string, args: readonly string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}): void {
  const { status, stderr } = spawnSync(program, args, { ...options, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
}

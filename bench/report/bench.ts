import { spawnSync } from 'node:child_process'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'

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
  /** What it leaves to clean up goes with it. */
  run: (t: Cleanup) => Promise<Row[]>
}

/** The number that is held against the budget. */
export function judged(row: Row): number {
  return row.floor === undefined ? row.ours : row.ours / row.floor
}

/** Whether a line keeps its budget. */
export function within(row: Row): boolean {
  return 'at_most' in row.budget ? judged(row) <= row.budget.at_most : judged(row) >= row.budget.at_least
}

type Works<Name extends string> = Record<Name, () => unknown>

/** Milliseconds of the quickest of several tries of each work: what it costs on a machine that does nothing else. */
export function quickest<Name extends string>(tries: number, works: Works<Name>): Promise<Record<Name, number>> {
  return alternating(tries, works, (took) => Math.min(...took))
}

/** Milliseconds of the middle one of many short tries of each work: for a ratio, which then holds on a busy machine too. */
export function typical<Name extends string>(tries: number, works: Works<Name>): Promise<Record<Name, number>> {
  return alternating(tries, works, median)
}

/** The smallest of each figure: what else the machine does only makes them larger. */
export function lowest<Figures extends Record<keyof Figures, number>>(one: Figures, other: Figures): Figures {
  const names = Object.keys(one) as (keyof Figures)[] // an object's keys are its names
  return Object.fromEntries(names.map((name) => [name, Math.min(one[name], other[name])])) as Figures // one entry for each name
}

/** The middle one. */
export function median(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)] ?? Number.NaN
}

/** Tries take turns, so that a slow moment hits all works alike. */
async function alternating<Name extends string>(tries: number, works: Works<Name>, chosen: (took: number[]) => number) {
  const names = Object.keys(works) as Name[] // keys of a Record<Name, …> are its names
  const took = new Map<Name, number[]>(names.map((name) => [name, []]))
  for (let at = 0; at < tries; at++) {
    for (const name of names) {
      const started = performance.now()
      await works[name]()
      took.get(name)?.push(performance.now() - started)
    }
  }
  return Object.fromEntries(names.map((name) => [name, chosen(took.get(name) ?? [])])) as Record<Name, number> // one entry for each name
}

/** Processor time of this process, up to date at every moment, and therefore for what is short. */
export function processMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Runs a program to its end without output; throws when it fails, so that a crash is never taken for speed. */
export function runToEnd(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`)
}

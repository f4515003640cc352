import * as z from 'zod'
import { usageOf } from '../../agent/limits.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { runs } from '../../store/tables.ts'

/** What stands in place of a task in the name of a planner's thread. */
export const PLANNING = 'planning'

/** The name of a thread of one of a board's agents: by it all runs at a task, or on a whole board, are found. */
export function threadName(boardId: string, task: string, agent: string, ...more: readonly (string | number)[]): string {
  return [boardId, task, agent, ...more].join('/')
}

/** Finds the threads whose names begin with these. */
export function threadsOf(...names: readonly string[]): { above: string; below: string } {
  const start = names.join('/')
  return { above: `${start}/`, below: `${start}0` } // 0 is the character after the slash
}

/** Every run of a board's agents, or of those at one task. */
export async function runsOf(driver: Driver, boardId: string, ...task: readonly string[]): Promise<Run[]> {
  return await runs.items(driver, { where: { thread_id: threadsOf(boardId, ...task) } })
}

/** Null where the price of a model is unknown; it is never shown as zero. */
export const Cost = z.int().nonnegative().nullable()

/** What runs have cost together: unknown as soon as the cost of one is, estimated as soon as one is. */
export function spentOnTask(all: readonly Run[]): { cost_microusd: number | null; estimated: boolean } {
  const { cost_microusd, estimated = false } = usageOf(all)
  return { cost_microusd, estimated }
}

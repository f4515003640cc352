import * as z from 'zod'
import { type Context, judgeCondition } from './condition.ts'
import type { Loop, LoopStep } from './workflow.ts'

/** One round of a loop, with the variables its steps may test. */
export type LoopTurn = z.infer<typeof LoopTurn>
export const LoopTurn = z.object({
  id: z.string(),
  title: z.string(),
  iteration: z.int(),
  /** How many rounds there will be, where that is known before the last. */
  total: z.int().nullable(),
  variables: z.record(z.string(), z.unknown()),
})

export type Round =
  | { status: 'go'; turn: LoopTurn }
  | { status: 'ended'; why: string }
  | { status: 'blocked'; missing: readonly string[]; why: string }

/** How far a loop has come: the last round in which something was done, and whether work after the loop was done. */
export interface LoopPast {
  begun: number
  behind: boolean
}

/**
 * Whether a round of a loop takes place. A round that was begun is never judged again, nor is a loop that lies behind the run:
 * its condition may have changed since, and the run would be sent back.
 */
export function beginRound(loop: LoopStep, iteration: number, { begun, behind }: LoopPast, context: Context): Round {
  const { maxIterations } = loop.loop
  const rounds = roundsOf(loop, context)
  if (rounds.status === 'blocked') return rounds
  if (rounds.total !== null && iteration > rounds.total) return { status: 'ended', why: `all ${rounds.total} rounds are done` }
  if (iteration > maxIterations) return { status: 'ended', why: `it reached maxIterations (${maxIterations}) before its own end` }
  const turn = { id: loop.id, title: loop.title, iteration, total: rounds.total, variables: variablesOf(loop, iteration, rounds.items) }
  if (iteration <= begun) return { status: 'go', turn }
  if (behind && begun > 0 && rounds.total === null) return { status: 'ended', why: 'work after it was done' }
  return judgeRound(loop, turn, context)
}

/** The last round in which something was done. */
export function roundsBegun(rounds: ReadonlyMap<number, unknown>): number {
  return rounds.size === 0 ? 0 : Math.max(...rounds.keys())
}

function judgeRound({ loop }: LoopStep, turn: LoopTurn, context: Context): Round {
  if (loop.type === 'for' || loop.type === 'forEach') return { status: 'go', turn }
  const { holds, missing, why } = judgeCondition(loop.condition, { ...context, ...turn.variables })
  // Before the first round of an "until" nobody can have set the variable that ends it.
  if (holds === 'unknown' && loop.type === 'until' && turn.iteration === 1) return { status: 'go', turn }
  if (holds === 'unknown') return { status: 'blocked', missing, why }
  return holds === (loop.type === 'while') ? { status: 'go', turn } : { status: 'ended', why }
}

type Rounds = { status: 'known'; total: number | null; items: readonly unknown[] } | { status: 'blocked'; missing: string[]; why: string }

function roundsOf({ loop }: LoopStep, context: Context): Rounds {
  if (loop.type === 'while' || loop.type === 'until') return { status: 'known', total: null, items: [] }
  const name = loop.type === 'for' ? loop.count : loop.items
  if (typeof name === 'number') return { status: 'known', total: name, items: [] }
  if (!Object.hasOwn(context, name)) return { status: 'blocked', missing: [name], why: `${name} is not in the context` }
  const value = context[name]
  if (loop.type === 'forEach' && Array.isArray(value)) return { status: 'known', total: value.length, items: value }
  if (loop.type === 'for' && Number.isInteger(value) && Number(value) >= 0) return { status: 'known', total: Number(value), items: [] }
  const wanted = loop.type === 'for' ? 'a whole number, 0 or more' : 'an array'
  return { status: 'blocked', missing: [name], why: `${name} must be ${wanted}; it is ${Array.isArray(value) ? 'an array' : typeof value}` }
}

function variablesOf({ loop }: LoopStep, iteration: number, items: readonly unknown[]): Record<string, unknown> {
  const counted = { [loop.iterationVar ?? 'currentIteration']: iteration }
  if (loop.type !== 'forEach') return counted
  return { ...counted, [loop.itemVar ?? 'currentItem']: items[iteration - 1], [loop.indexVar ?? 'currentIndex']: iteration - 1 }
}

/** The names a loop sets by itself: nobody need be asked for them. */
export function loopVariables({
  type,
  iterationVar = 'currentIteration',
  itemVar = 'currentItem',
  indexVar = 'currentIndex',
}: Loop): string[] {
  return type === 'forEach' ? [iterationVar, itemVar, indexVar] : [iterationVar]
}

import { closest } from '../text/closest.ts'
import { Problem } from '../problem.ts'
import { indexOf, type WorkflowIndex } from './index-steps.ts'
import type { Workflow } from './workflow.ts'

/** What a caller says is done: plain steps by their place, steps in a loop by round. */
export interface Completed {
  /** 1 at the place of each plain step that is done; a set of a thousand names would cost more than all the rest of a call. */
  done: Uint8Array
  /** For each loop the rounds that were begun, and what was done in each. */
  rounds: ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>
  /** The place of the last top-level step in which something was done; -1 before the first. */
  last: number
}

/** The name of a step inside one round of a loop, such as `review-each@2::read-file`. */
export function instanceKey(loop: string, iteration: number, step: string): string {
  return `${loop}@${iteration}::${step}`
}

/**
 * Reads `completedSteps`. An id that names nothing is refused: passing over it would repeat the step for ever,
 * and a caller that misspells an id must hear of it at once. What was read `before` is kept.
 */
export function readCompleted(workflow: Workflow, keys: readonly string[], before?: Completed): Completed {
  const index = indexOf(workflow)
  const done = before === undefined ? new Uint8Array(workflow.steps.length) : before.done.slice()
  const rounds = copied(before?.rounds)
  let last = before?.last ?? -1
  let expected = 0
  for (const key of keys) {
    // Most callers list them in order; comparing a text is quicker than looking it up.
    const at = index.plainAt[expected] === key ? expected : index.plain.get(key)
    if (at !== undefined) {
      expected = at + 1
      done[at] = 1
      if (at > last) last = at
      continue
    }
    const { loop, iteration, step } = readRound(workflow, index, key)
    const seen = rounds.get(loop) ?? new Map<number, Set<string>>()
    rounds.set(loop, seen.set(iteration, (seen.get(iteration) ?? new Set()).add(step)))
    last = Math.max(last, index.positions.get(loop) ?? -1)
  }
  return { done, rounds, last }
}

/**
 * What a run has done, with one more step: a line for each, but those that follow one another in the workflow share one, as first and last.
 * Kept step by step, the record of a long run would grow, and with it the cost of every advance.
 */
export function withDone(workflow: Workflow, completed: string, key: string): string {
  const { plain } = indexOf(workflow)
  const lines = completed === '' ? [] : completed.split('\n')
  const [first = '', last = first] = lines.at(-1)?.split('\t') ?? []
  const at = plain.get(key)
  const follows = at !== undefined && plain.get(last) === at - 1
  return (follows ? [...lines.slice(0, -1), `${first}\t${key}`] : [...lines, key]).join('\n')
}

/** Reads what `withDone` wrote down. */
export function readDone(workflow: Workflow, completed: string): Completed {
  const { plain } = indexOf(workflow)
  const lines = completed === '' ? [] : completed.split('\n').map((line) => line.split('\t'))
  const done = new Uint8Array(workflow.steps.length)
  let last = -1
  for (const [first = '', end = first] of lines) {
    const [from, to] = [plain.get(first), plain.get(end)]
    if (from === undefined || to === undefined) continue
    done.fill(1, from, to + 1)
    last = Math.max(last, to)
  }
  const inLoops = lines.flatMap(([key = '']) => (plain.has(key) ? [] : [key]))
  return readCompleted(workflow, inLoops, { done, rounds: new Map(), last })
}

function copied(rounds: Completed['rounds'] = new Map()): Map<string, Map<number, Set<string>>> {
  return new Map([...rounds].map(([loop, seen]) => [loop, new Map([...seen].map(([round, steps]) => [round, new Set(steps)]))]))
}

function readRound(workflow: Workflow, index: WorkflowIndex, key: string) {
  const [, loop = '', round = '', step = ''] = /^([^@]*)@([1-9]\d{0,3})::(.*)$/.exec(key) ?? []
  const inLoop = index.loops.get(loop)
  const iteration = Number(round)
  if (inLoop === undefined || !inLoop.body.has(step) || iteration > inLoop.max) throw unknownKey(workflow, index, key)
  return { loop, iteration, step }
}

function unknownKey(workflow: Workflow, index: WorkflowIndex, key: string): Problem {
  const inner = [...index.loops].find(([loop, { body }]) => key === loop || body.has(key))
  const examples = [...index.loops].flatMap(([loop, { body }]) => [...body].map((step) => instanceKey(loop, 1, step)))
  const expected =
    inner === undefined
      ? `the id of a step of ${workflow.id}`
      : `a round of the loop ${inner[0]}, such as ${instanceKey(inner[0], 1, [...inner[1].body][0] ?? '')} (rounds 1 to ${inner[1].max})`
  const nearest = closest(key, [...index.plain.keys(), ...examples])
  const hint = nearest === null || inner !== undefined ? '' : `; did you mean ${nearest}?`
  return new Problem('bad_input', `completedSteps names "${key.slice(0, 100)}", which is not a step; expected ${expected}${hint}`, {
    details: { field: 'completedSteps', expected, got: key.slice(0, 200), closest: nearest },
  })
}

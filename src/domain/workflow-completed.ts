import { Problem } from './problem.ts'
import { closest } from './closest.ts'
import { bodyOf, type Workflow } from './workflow.ts'

/** What a caller says is done: plain steps by id, steps in a loop by round. */
export interface Completed {
  steps: ReadonlySet<string>
  /** For each loop the rounds that were begun, and what was done in each. */
  rounds: ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>
}

/** The name of a step inside one round of a loop, such as `review-each@2::read-file`. */
export function instanceKey(loop: string, iteration: number, step: string): string {
  return `${loop}@${iteration}::${step}`
}

/**
 * Reads `completedSteps`. An id that names nothing is refused: passing over it would repeat the step for ever,
 * and a caller that misspells an id must hear of it at once.
 */
export function readCompleted(workflow: Workflow, keys: readonly string[]): Completed {
  const names = namesOf(workflow)
  const steps = new Set<string>()
  const rounds = new Map<string, Map<number, Set<string>>>()
  for (const key of keys) {
    if (names.plain.has(key)) {
      steps.add(key)
      continue
    }
    const [, loop = '', round = '', step = ''] = /^([^@]*)@([1-9]\d{0,3})::(.*)$/.exec(key) ?? []
    const inLoop = names.loops.get(loop)
    const iteration = Number(round)
    if (inLoop === undefined || !inLoop.body.has(step) || iteration > inLoop.max) throw unknownKey(workflow, names, key)
    const seen = rounds.get(loop) ?? new Map<number, Set<string>>()
    rounds.set(loop, seen.set(iteration, (seen.get(iteration) ?? new Set()).add(step)))
  }
  return { steps, rounds }
}

interface Names {
  plain: ReadonlySet<string>
  loops: ReadonlyMap<string, { body: ReadonlySet<string>; max: number }>
}

const known = new WeakMap<Workflow, Names>()

/** Remembered per workflow: rebuilding it for each call would make a call's cost grow with the workflow. */
function namesOf(workflow: Workflow): Names {
  const had = known.get(workflow)
  if (had !== undefined) return had
  const loops = new Map(
    workflow.steps.flatMap((step) => {
      if (step.type !== 'loop') return []
      return [[step.id, { body: new Set(bodyOf(workflow, step).map((inner) => inner.id)), max: step.loop.maxIterations }] as const]
    }),
  )
  const bodies = bodyIds(workflow)
  const plain = new Set(workflow.steps.flatMap((step) => (step.type === 'loop' || bodies.has(step.id) ? [] : [step.id])))
  const names = { plain, loops }
  known.set(workflow, names)
  return names
}

/** Top-level steps that only run as the body of a loop. */
export function bodyIds(workflow: Workflow): ReadonlySet<string> {
  return new Set(workflow.steps.flatMap((step) => (step.type === 'loop' && typeof step.body === 'string' ? [step.body] : [])))
}

function unknownKey(workflow: Workflow, names: Names, key: string): Problem {
  const inner = [...names.loops].find(([loop, { body }]) => key === loop || body.has(key))
  const examples = [...names.plain, ...[...names.loops].flatMap(([loop, { body }]) => [...body].map((step) => instanceKey(loop, 1, step)))]
  const expected =
    inner === undefined
      ? `the id of a step of ${workflow.id}`
      : `a round of the loop ${inner[0]}, such as ${instanceKey(inner[0], 1, [...inner[1].body][0] ?? '')} (rounds 1 to ${inner[1].max})`
  const nearest = closest(key, examples)
  const hint = nearest === null || inner !== undefined ? '' : `; did you mean ${nearest}?`
  return new Problem('bad_input', `completedSteps names "${key.slice(0, 100)}", which is not a step; expected ${expected}${hint}`, {
    details: { field: 'completedSteps', expected, got: key.slice(0, 200), closest: nearest },
  })
}

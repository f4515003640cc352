import { bodyOf, type Workflow } from './workflow.ts'

/** What a workflow holds, by name. */
export interface WorkflowIndex {
  /** Where each top-level step stands, from 0. */
  positions: ReadonlyMap<string, number>
  /** The same for those that are neither loops nor the body of one. */
  plain: ReadonlyMap<string, number>
  /** Top-level steps that run only as the body of a loop. */
  bodies: ReadonlySet<string>
  loops: ReadonlyMap<string, { body: ReadonlySet<string>; max: number }>
}

const made = new WeakMap<Workflow, WorkflowIndex>()

/** Remembered for each workflow: making it anew for every call would let the cost of a call grow with the workflow. */
export function indexOf(workflow: Workflow): WorkflowIndex {
  const had = made.get(workflow)
  if (had !== undefined) return had
  const { steps } = workflow
  const loops = steps.flatMap((step) => (step.type === 'loop' ? [step] : []))
  const bodies = new Set(loops.flatMap((loop) => (typeof loop.body === 'string' ? [loop.body] : [])))
  const index = {
    positions: new Map(steps.map((step, at) => [step.id, at])),
    plain: new Map(steps.flatMap((step, at) => (step.type === 'loop' || bodies.has(step.id) ? [] : [[step.id, at] as const]))),
    bodies,
    loops: new Map(
      loops.map((loop) => [loop.id, { body: new Set(bodyOf(workflow, loop).map(({ id }) => id)), max: loop.loop.maxIterations }]),
    ),
  }
  made.set(workflow, index)
  return index
}

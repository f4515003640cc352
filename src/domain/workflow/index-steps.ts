import { bodyOf, type Workflow } from './workflow.ts'

/** What a workflow holds, by name. */
export interface WorkflowIndex {
  /** Where each top-level step stands, from 0. */
  positions: ReadonlyMap<string, number>
  /** The same for those that are neither loops nor the body of one. */
  plain: ReadonlyMap<string, number>
  /** Their ids by place, with nothing where a loop or the body of one stands. */
  plainAt: readonly (string | undefined)[]
  /** Top-level steps that run only as the body of a loop. */
  bodies: ReadonlySet<string>
  /** The line of the trace for each top-level step once it is done; of a long run there are a thousand in every decision. */
  done: readonly { step: string; decision: 'completed'; why: string }[]
  loops: ReadonlyMap<string, { body: ReadonlySet<string>; max: number }>
}

const made = new WeakMap<Workflow, WorkflowIndex>()

/** Remembered for each workflow: making it again for every call would let the cost of a call grow with the workflow. */
export function indexOf(workflow: Workflow): WorkflowIndex {
  const had = made.get(workflow)
  if (had !== undefined) return had
  const { steps } = workflow
  const loops = steps.flatMap((step) => (step.type === 'loop' ? [step] : []))
  const bodies = new Set(loops.flatMap((loop) => (typeof loop.body === 'string' ? [loop.body] : [])))
  const plainAt = steps.map((step) => (step.type === 'loop' || bodies.has(step.id) ? undefined : step.id))
  const index: WorkflowIndex = {
    positions: new Map(steps.map((step, at) => [step.id, at])),
    plain: new Map(plainAt.flatMap((id, at) => (id === undefined ? [] : [[id, at] as const]))),
    plainAt,
    bodies,
    done: steps.map(({ id }) => wasDone(id)),
    loops: new Map(
      loops.map((loop) => [loop.id, { body: new Set(bodyOf(workflow, loop).map(({ id }) => id)), max: loop.loop.maxIterations }]),
    ),
  }
  made.set(workflow, index)
  return index
}

/** The line of the trace for a step that is done. */
export function wasDone(step: string): WorkflowIndex['done'][number] {
  return { step, decision: 'completed', why: 'done' }
}

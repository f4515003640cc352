import * as z from 'zod'
import type { Context } from './condition.ts'
import { LoopTurn } from './loop.ts'
import { type NextStepDecision, instanceAt, TraceLine } from './next.ts'
import { filledStep, fillPlaceholders, placesOf, valuesFor } from './placeholder.ts'
import { type StepAgentView, agentView, type StepUserView, userView } from './view.ts'
import type { Workflow } from './workflow.ts'

/** What was said to a caller, without the texts of the step: those are in the workflow, and a role text is stored nowhere else. */
export type DescribedDecision = z.infer<typeof DescribedDecision>
export const DescribedDecision = z.object({
  status: z.enum(['step', 'blocked', 'complete', 'invalid', 'confirmation_required']),
  /** What to list in `completedSteps` once the step is done. */
  key: z.string().nullable(),
  loop: LoopTurn.nullable(),
  /** Context variables without which nobody can tell what comes next. */
  missing: z.array(z.string()),
  /** Why the output was not taken, in the author's words. */
  issues: z.array(z.string()),
  trace: z.array(TraceLine),
  /** What the context said for each {{place}} in the texts of the step: a repeated call gets the texts it got. */
  values: z.record(z.string(), z.string()).default({}),
})

/** What a caller of `workflow_next` is told: the step to do, or why there is none. `user` is all that people may see of it. */
export interface NextAnswer extends DescribedDecision {
  agent: StepAgentView | null
  user: StepUserView | null
}

/** A decision in the form in which it is stored and told. */
export function describeDecision(decision: NextStepDecision, context: Context): DescribedDecision {
  const nothing = { key: null, loop: null, missing: [], issues: [], trace: recent(decision.trace), values: {} }
  if (decision.status === 'complete') return { ...nothing, status: 'complete' }
  if (decision.status === 'blocked') {
    const issues = [`${decision.step} cannot be judged: ${decision.why}`]
    return { ...nothing, status: 'blocked', missing: [...decision.missing], issues }
  }
  const { key, step, loop } = decision.next
  const values = valuesFor(step, loop?.title ?? '', { ...context, ...loop?.variables })
  const unfilled = placesOf(step, loop?.title ?? '').filter((path) => !Object.hasOwn(values, path))
  return { ...nothing, status: 'step', key, loop, values, trace: withUnfilled(nothing.trace, unfilled) }
}

/** A place for which nothing is known stays as it is written, and the reason for the step says so. */
function withUnfilled(trace: DescribedDecision['trace'], unfilled: readonly string[]): DescribedDecision['trace'] {
  const last = trace.at(-1)
  if (last === undefined || unfilled.length === 0) return trace
  const why = `${last.why}; nothing is known for ${unfilled.map((path) => `{{${path}}}`).join(', ')}`
  return [...trace.slice(0, -1), { ...last, why }]
}

/** What was told, with both sides of the step it names. */
export function answerOf(workflow: Workflow, told: DescribedDecision): NextAnswer {
  if (told.key === null) return { ...told, agent: null, user: null }
  return { ...told, ...sidesOf(workflow, told.key, told.loop, told.values) }
}

interface Sides {
  agent: StepAgentView
  user: StepUserView
}

const composed = new WeakMap<Workflow, Map<string, Sides>>()

/** Composed once for each step of a workflow; in a loop they differ from round to round. */
function sidesOf(workflow: Workflow, key: string, loop: DescribedDecision['loop'], values: DescribedDecision['values']): Sides {
  const known = composed.get(workflow) ?? new Map<string, Sides>()
  const had = known.get(key)
  if (had !== undefined) return had
  const { step, ...place } = instanceAt(workflow, key, loop)
  const filled = loop && { ...loop, title: fillPlaceholders(loop.title, values) }
  const instance = { ...place, step: Object.keys(values).length === 0 ? step : filledStep(step, values), loop: filled }
  const sides = { agent: agentView(workflow, instance), user: userView(workflow, instance) }
  if (loop === null && placesOf(step, '').length === 0) composed.set(workflow, known.set(key, sides))
  return sides
}

/** The decisions since the last step that was done: the older ones were told before, and a long run must not repeat them in every answer. */
function recent(trace: NextStepDecision['trace']): DescribedDecision['trace'] {
  return trace.slice(trace.findLastIndex((line) => line.decision === 'completed') + 1)
}

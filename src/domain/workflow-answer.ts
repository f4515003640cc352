import * as z from 'zod'
import { LoopTurn } from './workflow-loop.ts'
import { type Decision, instanceAt, TraceLine } from './workflow-next.ts'
import { type AgentView, agentView, type UserView, userView } from './workflow-view.ts'
import type { Workflow } from './workflow.ts'

/** What was said to a caller, without the texts of the step: those are in the workflow, and a role text is stored nowhere else. */
export type Told = z.infer<typeof Told>
export const Told = z.object({
  status: z.enum(['step', 'blocked', 'complete', 'invalid', 'confirmation_required']),
  /** What to list in `completedSteps` once the step is done. */
  key: z.string().nullable(),
  loop: LoopTurn.nullable(),
  /** Context variables without which nobody can tell what comes next. */
  missing: z.array(z.string()),
  /** Why the output was not taken, in the author's words. */
  issues: z.array(z.string()),
  trace: z.array(TraceLine),
})

/** What a caller of `workflow_next` is told: the step to do, or why there is none. `user` is all that people may see of it. */
export interface NextAnswer extends Told {
  agent: AgentView | null
  user: UserView | null
}

/** A decision in the form in which it is stored and told. */
export function tell(decision: Decision): Told {
  const nothing = { key: null, loop: null, missing: [], issues: [], trace: recent(decision.trace) }
  if (decision.status === 'complete') return { ...nothing, status: 'complete' }
  if (decision.status === 'blocked') {
    const issues = [`${decision.step} cannot be judged: ${decision.why}`]
    return { ...nothing, status: 'blocked', missing: [...decision.missing], issues }
  }
  return { ...nothing, status: 'step', key: decision.next.key, loop: decision.next.loop }
}

/** What was told, with both sides of the step it names. */
export function answerOf(workflow: Workflow, told: Told): NextAnswer {
  if (told.key === null) return { ...told, agent: null, user: null }
  return { ...told, ...sidesOf(workflow, told.key, told.loop) }
}

interface Sides {
  agent: AgentView
  user: UserView
}

const composed = new WeakMap<Workflow, Map<string, Sides>>()

/** Composed once for each step of a workflow; in a loop they differ from round to round. */
function sidesOf(workflow: Workflow, key: string, loop: Told['loop']): Sides {
  const known = composed.get(workflow) ?? new Map<string, Sides>()
  const had = known.get(key)
  if (had !== undefined) return had
  const instance = instanceAt(workflow, key, loop)
  const sides = { agent: agentView(workflow, instance), user: userView(workflow, instance) }
  if (loop === null) composed.set(workflow, known.set(key, sides))
  return sides
}

/** The decisions since the last step that was done: the older ones were told before, and a long run must not repeat them in every answer. */
function recent(trace: Decision['trace']): Told['trace'] {
  return trace.slice(trace.findLastIndex((line) => line.decision === 'completed') + 1)
}

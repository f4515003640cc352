import * as z from 'zod'
import { Problem } from '../problem.ts'
import { type Completed, instanceKey, readCompleted } from './completed.ts'
import { type Condition, type Context, judgeCondition } from './condition.ts'
import { indexOf, wasDone } from './index-steps.ts'
import { type LoopTurn, beginRound, roundsBegun } from './loop.ts'
import { bodyOf, type LoopStep, type Step, type Workflow } from './workflow.ts'

/** One step, at one place of one run of the workflow. */
export interface Instance {
  key: string
  step: Step
  loop: LoopTurn | null
  /** The place of the step, or of the loop around it, among the top-level steps; from 1. */
  position: number
}

/** Why a step was chosen, passed over or could not be judged. */
export type TraceLine = z.infer<typeof TraceLine>
export const TraceLine = z.object({
  step: z.string(),
  decision: z.enum(['completed', 'chosen', 'skipped', 'blocked', 'loop_ended']),
  why: z.string(),
})

/** What comes next. `blocked` is not complete: it names the variables without which nobody can tell. */
export type NextStepDecision = (Found | { status: 'complete' }) & { trace: readonly TraceLine[] }

type Found = { status: 'step'; next: Instance } | { status: 'blocked'; step: string; missing: readonly string[]; why: string }

/** Chooses the next step from what was done and what is known. Nothing else is looked at, so the same question has the same answer. */
export function decideNext(workflow: Workflow, completedSteps: readonly string[], context: Context): NextStepDecision {
  return decideAfter(workflow, readCompleted(workflow, completedSteps), context)
}

/** The same for a caller that has read what was done already. */
export function decideAfter(workflow: Workflow, completed: Completed, context: Context): NextStepDecision {
  const { bodies, done } = indexOf(workflow)
  const trace: TraceLine[] = []
  let index = -1
  for (const step of workflow.steps) {
    index += 1
    const line = completed.done[index] === 1 ? done[index] : undefined
    if (line !== undefined) {
      trace.push(line)
      continue
    }
    if (bodies.has(step.id)) continue
    const found =
      step.type === 'loop'
        ? decideLoop(workflow, step, index + 1, { completed, behind: index < completed.last }, context, trace)
        : decideStep({ key: step.id, step, loop: null, position: index + 1 }, context, trace)
    if (found !== null) return { ...found, trace }
  }
  return { status: 'complete', trace }
}

/** The step a key names, in the round it was asked for. The key comes from a decision on the same workflow. */
export function instanceAt(workflow: Workflow, key: string, loop: LoopTurn | null): Instance {
  const index = indexOf(workflow).positions.get(loop?.id ?? key) ?? -1
  const found = workflow.steps[index]
  const inner = found?.type === 'loop' ? bodyOf(workflow, found).find((step) => key.endsWith(`::${step.id}`)) : found
  if (inner === undefined) throw new Problem('internal', `${key} is not a step of ${workflow.id}`)
  return { key, step: inner, loop, position: index + 1 }
}

/** What asks for a person to confirm a step: the step itself, and the loop around it for each of its steps. */
export function confirmationsOf(workflow: Workflow, { step, position }: Instance): (true | Condition)[] {
  const asking = [step, workflow.steps[position - 1]].map((part) => part?.requireConfirmation ?? false)
  return asking.filter((wanted) => wanted !== false)
}

function decideStep(instance: Instance, context: Context, trace: TraceLine[]): Found | null {
  const { key, step } = instance
  const { holds, missing, why } = judgeCondition(step.runCondition, context)
  if (holds === true) {
    trace.push({ step: key, decision: 'chosen', why })
    return { status: 'step', next: instance }
  }
  if (holds === false) {
    trace.push({ step: key, decision: 'skipped', why })
    return null
  }
  return blocked(key, missing, why, trace)
}

function decideLoop(
  workflow: Workflow,
  loop: LoopStep,
  position: number,
  { completed, behind }: { completed: Completed; behind: boolean },
  context: Context,
  trace: TraceLine[],
): Found | null {
  const rounds = completed.rounds.get(loop.id) ?? new Map<number, ReadonlySet<string>>()
  const begun = roundsBegun(rounds)
  const entry = judgeCondition(loop.runCondition, context)
  if (begun === 0 && entry.holds === 'unknown') return blocked(loop.id, entry.missing, entry.why, trace)
  if (begun === 0 && entry.holds === false) {
    trace.push({ step: loop.id, decision: 'skipped', why: entry.why })
    return null
  }
  for (let iteration = 1; ; iteration++) {
    const turn = beginRound(loop, iteration, { begun, behind }, context)
    if (turn.status === 'blocked') return blocked(loop.id, turn.missing, turn.why, trace)
    if (turn.status === 'ended') {
      trace.push({ step: loop.id, decision: 'loop_ended', why: turn.why })
      return null
    }
    const done = rounds.get(iteration) ?? new Set<string>()
    const found = decideRound(bodyOf(workflow, loop), turn.turn, position, { done, past: iteration < begun }, context, trace)
    if (found !== null) return found
  }
}

/**
 * The first open step of one round. In a round that lies behind us a step with a condition was judged in its day;
 * judging it again with today's values would send the run back.
 */
function decideRound(
  body: readonly Step[],
  turn: LoopTurn,
  position: number,
  round: { done: ReadonlySet<string>; past: boolean },
  context: Context,
  trace: TraceLine[],
): Found | null {
  const known = { ...context, ...turn.variables }
  for (const step of body) {
    const instance = { key: instanceKey(turn.id, turn.iteration, step.id), step, loop: turn, position }
    const done = round.done.has(step.id)
    if (done || (round.past && step.runCondition !== undefined)) {
      trace.push(done ? wasDone(instance.key) : { step: instance.key, decision: 'skipped', why: 'its round is over' })
      continue
    }
    const found = decideStep(instance, known, trace)
    if (found !== null) return found
  }
  return null
}

function blocked(step: string, missing: readonly string[], why: string, trace: TraceLine[]): Found {
  trace.push({ step, decision: 'blocked', why })
  return { status: 'blocked', step, missing: [...new Set(missing)], why }
}

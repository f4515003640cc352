import type { Entry } from '../domain/entry.ts'
import type { PlanContent, PlanStep } from '../domain/plan.ts'
import { STEP_MARK } from '../domain/text/step-mark.ts'

type StepStatus = 'pending' | 'active' | 'done' | 'deviated'

/**
 * How far the steps of a plan have come, read from what the run did: the model's own marks, and the calls that touch what a step names.
 * A step that work has moved past counts as done; nothing is done merely because a model fell silent.
 */
export function stepProgress(plan: PlanContent, entries: readonly Entry[], finished: boolean) {
  const statuses = new Map<number, StepStatus>(plan.steps.map((step) => [step.step_number, 'pending']))
  for (const entry of entries) {
    if (entry.from !== 'assistant') continue
    for (const [, , number, status] of entry.text.matchAll(STEP_MARK)) setStatus(statuses, Number(number), status)
    for (const call of entry.calls) beginNamed(statuses, plan.steps, call.input)
  }
  if (finished) finishActive(statuses)
  return plan.steps.map(({ step_number }) => ({ step_number, status: statuses.get(step_number) ?? 'pending' }))
}

function setStatus(statuses: Map<number, StepStatus>, number: number, status: string | undefined): void {
  if (!statuses.has(number)) return
  const marked = status?.toLowerCase()
  if (marked === 'active') begin(statuses, number)
  if (marked === 'done' || marked === 'deviated') statuses.set(number, marked)
}

/** A call that touches what exactly one waiting step names begins that step. */
function beginNamed(statuses: Map<number, StepStatus>, steps: readonly PlanStep[], input: unknown): void {
  const targets = targetsOf(input)
  const named = steps.filter((step) => targets.some((target) => step.action.includes(target)))
  const waiting = named.filter((step) => statuses.get(step.step_number) === 'pending')
  if (named.length === waiting.length && waiting[0] !== undefined && waiting.length === 1) begin(statuses, waiting[0].step_number)
}

function begin(statuses: Map<number, StepStatus>, number: number): void {
  for (const [other, status] of statuses) if (other < number && status === 'active') statuses.set(other, 'done')
  statuses.set(number, 'active')
}

function finishActive(statuses: Map<number, StepStatus>): void {
  for (const [number, status] of statuses) if (status === 'active') statuses.set(number, 'done')
}

function targetsOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).filter((value): value is string => typeof value === 'string' && value.length >= 3 && value.length < 300)
}

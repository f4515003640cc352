import type { Entry, ToolEntry } from '../domain/entry.ts'
import type { PlanContent, PlanStep, StepStatus } from '../domain/plan.ts'
import { STEP_MARK } from '../domain/text/step-mark.ts'

/**
 * How far the steps of a plan have come, read from what the run did: the model's own marks, and the calls that touch what a step names.
 * A step that work has moved past counts as done; nothing is done merely because a model fell silent, or says so after a call that failed.
 */
export function stepProgress(plan: PlanContent, entries: readonly Entry[], finished: boolean) {
  const statuses = new Map<number, StepStatus>(plan.steps.map((step) => [step.step_number, 'pending']))
  let done: DoneStatus = 'done' // what a step becomes that ends here
  for (const entry of entries) {
    if (entry.from === 'tool') done = didItsWork(entry) ? 'done' : 'unconfirmed'
    if (entry.from !== 'assistant') continue
    for (const [, , number, status] of entry.text.matchAll(STEP_MARK)) {
      setStatus(statuses, Number(number), status, done)
      done = 'done'
    }
    for (const call of entry.calls) beginNamed(statuses, plan.steps, call.input, done)
  }
  if (finished) endActive(statuses, Infinity, done)
  return plan.steps.map(({ step_number }) => ({ step_number, status: statuses.get(step_number) ?? 'pending' }))
}

/** A command that ran to its end did, whatever its exit code: a step may be to see a test fail. */
function didItsWork({ outcome, details }: ToolEntry): boolean {
  return outcome === 'ok' || (outcome === 'error' && details['ended'] === 'exited')
}

type DoneStatus = 'done' | 'unconfirmed'

function setStatus(statuses: Map<number, StepStatus>, number: number, status: string | undefined, done: DoneStatus): void {
  if (!statuses.has(number)) return
  const marked = status?.toLowerCase()
  if (marked === 'active') begin(statuses, number, done)
  if (marked === 'done') statuses.set(number, done)
  if (marked === 'deviated') statuses.set(number, marked)
}

/** A call that touches what exactly one waiting step names begins that step. */
function beginNamed(statuses: Map<number, StepStatus>, steps: readonly PlanStep[], input: unknown, done: DoneStatus): void {
  const targets = targetsOf(input)
  const named = steps.filter((step) => targets.some((target) => step.action.includes(target)))
  const waiting = named.filter((step) => statuses.get(step.step_number) === 'pending')
  if (named.length === waiting.length && waiting[0] !== undefined && waiting.length === 1) begin(statuses, waiting[0].step_number, done)
}

function begin(statuses: Map<number, StepStatus>, number: number, done: DoneStatus): void {
  endActive(statuses, number, done)
  statuses.set(number, 'active')
}

function endActive(statuses: Map<number, StepStatus>, before: number, done: DoneStatus): void {
  for (const [number, status] of statuses) if (number < before && status === 'active') statuses.set(number, done)
}

function targetsOf(input: unknown): string[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).filter((value): value is string => typeof value === 'string' && value.length >= 3 && value.length < 300)
}

import type { TaskView } from './task-view.ts'
import { faultsByField, Refusal } from '../../api.ts'
import { type TaskEntry, TaskPlan } from '../../../src/domain/board/task.ts'

type Task = TaskView['task']

/** A task as it is in a form: everything is text until it is sent. */
export type PlanDraft = typeof emptyPlan

/** What is wrong with which field. */
export type FieldFaults = Partial<Record<keyof PlanDraft, string>>

export const emptyPlan = {
  id: '',
  description: '',
  kind: 'code' as Task['kind'],
  priority: 1,
  spec_ref: '',
  done_when: '',
  scope: '',
  depends_on: '',
}

/** What a task says, in a form; under another id where it is to be replaced. */
export function draftOf(task: TaskEntry & TaskPlan, id = task.id): PlanDraft {
  const { description, kind, priority, spec_ref, done_when, scope, depends_on } = task
  return {
    id,
    description,
    kind,
    priority,
    spec_ref: spec_ref ?? '',
    done_when: done_when ?? '',
    scope: scope ?? '',
    depends_on: depends_on.join(', '),
  }
}

/** What a form sends; a field nobody filled in is not stated yet. */
export function planOf({ description, kind, priority, spec_ref, done_when, scope, depends_on }: PlanDraft) {
  return {
    description: description.trim(),
    kind,
    priority,
    spec_ref: stated(spec_ref),
    done_when: stated(done_when),
    scope: stated(scope),
    depends_on: depends_on.split(/[\s,]+/).filter(Boolean),
  }
}

function stated(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** A refusal, told at the fields it is about. Null where it is about none of them, so that it is told beside the form instead. */
export function faultsOf(error: unknown, dependsOn = ''): FieldFaults | null {
  if (!(error instanceof Refusal)) return null
  const { faults, field, task } = error.details
  const told: [string, string][] = [
    ...objectsIn(faults).map(({ gate, reason, example }): [string, string] => [
      gate === 'tests' ? 'description' : String(gate),
      `${String(reason)}. For example: ${String(example)}`,
    ]),
    ...Object.entries(faultsByField(error)),
    ...(field === 'id' || field === 'depends_on' ? [[field, error.message] as [string, string]] : []),
    ...(error.code === 'not_found' && planOf({ ...emptyPlan, depends_on: dependsOn }).depends_on.includes(String(task))
      ? [['depends_on', error.message] as [string, string]]
      : []),
  ]
  const known = told.filter(([name]) => name in emptyPlan)
  return known.length === 0 ? null : Object.fromEntries(known)
}

function objectsIn(list: unknown): Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}

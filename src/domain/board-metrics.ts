import type { Task, TaskEvent } from './task.ts'
import { finalStates, taskFlow, type TaskState } from './task-flow.ts'

/** The figures of a sprint. They are counted from the history of its tasks each time, so they cannot drift. */
export interface BoardMetrics {
  tasks_planned: number
  /** Those that were merged. */
  tasks_planned_done: number
  /** Beyond the plan of the sprint. */
  tasks_stretch: number
  tasks_stretch_done: number
  /** All that is over: merged, replaced or abandoned. */
  tasks_done: number
  tasks_in_progress: number
  tasks_blocked: number
  iterations_total: number
  review_cycles_total: number
  review_verdict_approvals: number
  review_verdict_rejections: number
  review_verdict_count: number
  review_verdict_approval_rate_percent: number | null
  task_submitted_for_review_count: number
  task_outcome_approval_rate_percent: number | null
  /** From creation to merge, for each merged task. */
  cycle_times_ms: Record<string, number>
  /** Reviewers that approve nearly everything; their approvals may mean nothing. */
  rubber_stamp_warning: boolean
}

const claims = [
  'claimed',
  'reclaimed_after_rejection',
  'reassigned_after_rejection',
  'claimed_for_integration_fix',
  'reclaimed_after_expiry',
  'reclaimed_after_handoff',
]
const inProgress: readonly TaskState[] = ['CLAIMED', 'READY_FOR_REVIEW', 'REJECTED', 'APPROVED']
const blocked: readonly TaskState[] = ['BLOCKED', 'INTEGRATION_FAILED']

/** Counts what happened to tasks. */
export function boardMetrics(tasks: readonly Pick<Task, 'id' | 'status' | 'created' | 'history' | 'sprint'>[]): BoardMetrics {
  const events = tasks.flatMap(({ history }) => history)
  const count = (...names: string[]) => events.filter(({ event }) => names.includes(event)).length
  const inStates = (states: readonly TaskState[]) => tasks.filter(({ status }) => states.includes(status)).length
  const [approvals, rejections, submissions] = [count('approved'), count('rejected'), count('submitted_for_review')]
  const verdicts = approvals + rejections
  const inScope = (scope: Task['sprint'], states: readonly TaskState[]) =>
    tasks.filter(({ sprint, status }) => sprint === scope && states.includes(status)).length
  return {
    tasks_planned: inScope('planned', taskFlow.states),
    tasks_planned_done: inScope('planned', ['MERGED']),
    tasks_stretch: inScope('stretch', taskFlow.states),
    tasks_stretch_done: inScope('stretch', ['MERGED']),
    tasks_done: inStates(finalStates),
    tasks_in_progress: inStates(inProgress),
    tasks_blocked: inStates(blocked),
    iterations_total: count(...claims),
    review_cycles_total: rejections,
    review_verdict_approvals: approvals,
    review_verdict_rejections: rejections,
    review_verdict_count: verdicts,
    review_verdict_approval_rate_percent: percent(approvals, verdicts),
    task_submitted_for_review_count: submissions,
    task_outcome_approval_rate_percent: percent(approvals, submissions),
    cycle_times_ms: Object.fromEntries(tasks.flatMap(({ id, created, history }) => timesOf(id, created, history))),
    rubber_stamp_warning: verdicts >= 5 && approvals / verdicts > 0.95,
  }
}

function timesOf(id: string, created: string, history: readonly TaskEvent[]): [string, number][] {
  const merged = history.find(({ event }) => event === 'merged')
  return merged === undefined ? [] : [[id, Date.parse(merged.time) - Date.parse(created)]]
}

function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 100)
}

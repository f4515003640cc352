import { claimEvents, type TaskEvent, type TaskEventName } from './event.ts'
import type { Task } from './task.ts'
import { finalStates, statesWhere, taskFlow, type TaskState } from './task-flow.ts'

/** The figures of a sprint. They are counted from the history of its tasks each time, so they cannot drift. */
export type BoardMetrics = ReturnType<typeof boardMetrics>

const inProgress = statesWhere(({ phase }) => phase === 'in_progress')
const blocked = statesWhere(({ phase }) => phase === 'blocked')

/** Counts what happened to tasks. */
export function boardMetrics(tasks: readonly Pick<Task, 'id' | 'status' | 'created' | 'history' | 'sprint'>[]) {
  const events = tasks.flatMap(({ history }) => history)
  const count = (...names: TaskEventName[]) => events.filter(({ event }) => names.includes(event)).length
  const inStates = (states: readonly TaskState[]) => tasks.filter(({ status }) => states.includes(status)).length
  const [approvals, rejections, submissions] = [count('approved'), count('rejected'), count('submitted_for_review')]
  const verdicts = approvals + rejections
  const inScope = (scope: Task['sprint'], states: readonly TaskState[]) =>
    tasks.filter(({ sprint, status }) => sprint === scope && states.includes(status)).length
  return {
    tasks_planned: inScope('planned', taskFlow.states),
    /** Those that were merged. */
    tasks_planned_done: inScope('planned', ['MERGED']),
    /** Beyond the plan of the sprint. */
    tasks_stretch: inScope('stretch', taskFlow.states),
    tasks_stretch_done: inScope('stretch', ['MERGED']),
    /** All that is over: merged, replaced or abandoned. */
    tasks_done: inStates(finalStates),
    tasks_in_progress: inStates(inProgress),
    tasks_blocked: inStates(blocked),
    iterations_total: count(...claimEvents),
    review_cycles_total: rejections,
    review_verdict_approvals: approvals,
    review_verdict_rejections: rejections,
    review_verdict_count: verdicts,
    review_verdict_approval_rate_percent: percent(approvals, verdicts),
    task_submitted_for_review_count: submissions,
    task_outcome_approval_rate_percent: percent(approvals, submissions),
    /** From creation to merge, for each merged task. */
    cycle_times_ms: Object.fromEntries(tasks.flatMap(({ id, created, history }) => timesOf(id, created, history))),
    /** Reviewers that approve nearly everything; their approvals may mean nothing. */
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

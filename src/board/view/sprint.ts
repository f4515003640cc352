import { boardMetrics } from '../../domain/board/metrics.ts'
import type { Run } from '../../domain/run.ts'
import type { Task } from '../../domain/board/task.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { runsOf, spentOn } from '../agent/runs-of.ts'

/** More points than this are not told apart on a screen. */
const POINTS = 200

interface Point {
  at: string
  value: number
}

/** The figures of the sprint with how they came about, counted from the histories of tasks and runs. */
export async function viewSprint(driver: Driver, boardId: string) {
  await boards.get(driver, boardId)
  const all = await tasks.items(driver, { where: { board_id: boardId }, order: ['number'] })
  const played = await runsOf(driver, boardId)
  const { cycle_times_ms, ...metrics } = boardMetrics(all)
  const took = Object.values(cycle_times_ms).toSorted((one, other) => one - other)
  return {
    ...metrics,
    tasks_total: all.length,
    cycle_time_median_ms: took[Math.floor(took.length / 2)] ?? null,
    cycle_time_slowest_ms: took.at(-1) ?? null,
    ...spentOn(played),
    cost_by_role: byRole(played),
    ...burnUp(all),
    approval_rate: approvalRate(all),
    cycle_times: cycleTimes(all, cycle_times_ms),
    cost: thinned(running(played.map(({ ended_at, started_at, usage }) => [ended_at ?? started_at, usage.cost_microusd ?? 0]))),
  }
}

/** What there was to do and what was merged, over time. What is superseded or abandoned is no longer to do. */
function burnUp(all: readonly Task[]): { scope: Point[]; merged: Point[] } {
  const events = all.flatMap(({ history }) => history)
  const added = all.map(({ created }): [string, number] => [created, 1])
  const dropped = events.flatMap(({ event, time }): [string, number][] => (['superseded', 'abandoned'].includes(event) ? [[time, -1]] : []))
  const merged = events.flatMap(({ event, time }): [string, number][] => (event === 'merged' ? [[time, 1]] : []))
  const start = all[0] === undefined ? [] : [[all[0].created, 0] as const]
  return { scope: thinned(running([...start, ...added, ...dropped])), merged: thinned(running([...start, ...merged])) }
}

/** The share of approvals among all verdicts so far, in percent. */
function approvalRate(all: readonly Task[]): Point[] {
  const verdicts = all
    .flatMap(({ history }) => history)
    .filter(({ event }) => event === 'approved' || event === 'rejected')
    .toSorted((one, other) => one.time.localeCompare(other.time))
  let approvals = 0
  return thinned(
    verdicts.map(({ event, time }, before) => {
      if (event === 'approved') approvals++
      return { at: time, value: Math.round((approvals / (before + 1)) * 100) }
    }),
  )
}

function cycleTimes(all: readonly Task[], took: Readonly<Record<string, number>>): (Point & { task: string })[] {
  const merged = all.flatMap(({ id, history }) => {
    const [at, value] = [history.find(({ event }) => event === 'merged')?.time, took[id]]
    return at === undefined || value === undefined ? [] : [{ at, value, task: id }]
  })
  return merged.toSorted((one, other) => one.at.localeCompare(other.at)).slice(-POINTS)
}

function byRole(played: readonly Run[]) {
  const groups = Map.groupBy(played, ({ agent_role }) => agent_role)
  return [...groups].map(([role, theirs]) => ({ role, runs: theirs.length, ...spentOn(theirs) }))
}

/** Amounts as a sum that grows over time. */
function running(amounts: readonly (readonly [at: string, amount: number])[]): Point[] {
  let value = 0
  return amounts
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([at, amount]) => {
      value += amount
      return { at, value }
    })
}

/** Evenly fewer points; the last one always stays, because it is the figure of today. */
function thinned(points: readonly Point[]): Point[] {
  const step = Math.ceil(points.length / POINTS)
  return points.filter((_, at) => at % step === 0 || at === points.length - 1)
}

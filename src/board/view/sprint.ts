import * as z from 'zod'
import { Board, RetrospectiveNote } from '../../domain/board/board.ts'
import { boardMetrics } from '../../domain/board/metrics.ts'
import type { TaskEntry } from '../../domain/board/task.ts'
import { defineOperation } from '../../domain/operation.ts'
import type { Run } from '../../domain/run.ts'
import { counted } from '../../domain/text/format.ts'
import type { Driver } from '../../store/driver.ts'
import { tasks, boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { Cost, runsOf, spentOnTask } from '../agent/runs-of.ts'
import { type RecordsContext, needPerson } from '../context.ts'

/** More points than this are not told apart on a screen. */
const POINTS = 200

type Point = z.infer<typeof Point>
const Point = z.object({ at: z.iso.datetime(), value: z.number() })

/** All are counted from the histories of tasks and runs. */
export const viewSprint = defineOperation({
  name: 'board.view_sprint',
  summary: 'Show the figures of the sprint and how they came about, counted from the history',
  by: ['person'],
  effect: 'read',
  command: 'board metrics',
  input: z.strictObject({}),
  output: z.object({
    tasks_planned: z.int(),
    tasks_planned_done: z.int(),
    tasks_stretch: z.int(),
    tasks_stretch_done: z.int(),
    tasks_total: z.int(),
    tasks_done: z.int(),
    tasks_in_progress: z.int(),
    tasks_blocked: z.int(),
    iterations_total: z.int(),
    review_cycles_total: z.int(),
    review_verdict_approvals: z.int(),
    review_verdict_rejections: z.int(),
    review_verdict_count: z.int(),
    review_verdict_approval_rate_percent: z.number().nullable(),
    task_submitted_for_review_count: z.int(),
    task_outcome_approval_rate_percent: z.number().nullable(),
    rubber_stamp_warning: z.boolean(),
    cycle_time_median_ms: z.number().nullable(),
    cycle_time_slowest_ms: z.number().nullable(),
    cost_microusd: Cost,
    estimated: z.boolean(),
    cost_by_role: z.array(z.object({ role: z.string(), runs: z.int(), cost_microusd: Cost, estimated: z.boolean() })),
    scope: z.array(Point),
    merged: z.array(Point),
    approval_rate: z.array(Point),
    cycle_times: z.array(Point.extend({ task: z.string() })),
    cost: z.array(Point),
  }),
  example: {},
  tell: ({ tasks_done, tasks_total }) => `${tasks_done} of ${counted(tasks_total, 'task')} done`,
  run: ({ driver, board_id }: RecordsContext) => figuresOf(driver, board_id),
})

async function figuresOf(driver: Driver, boardId: string) {
  const all = await tasks.items(driver, { where: { board_id: boardId }, order: ['number'] })
  const played = await runsOf(driver, boardId)
  const { cycle_times_ms, ...metrics } = boardMetrics(all)
  const took = Object.values(cycle_times_ms).toSorted((one, other) => one - other)
  return {
    ...metrics,
    tasks_total: all.length,
    cycle_time_median_ms: took[Math.floor(took.length / 2)] ?? null,
    cycle_time_slowest_ms: took.at(-1) ?? null,
    ...spentOnTask(played),
    cost_by_role: byRole(played),
    ...burnUp(all),
    approval_rate: approvalRate(all),
    cycle_times: cycleTimes(all, cycle_times_ms),
    cost: thinned(running(played.map(({ ended_at, started_at, usage }) => [ended_at ?? started_at, usage.cost_microusd ?? 0]))),
  }
}

/** What there was to do and what was merged, over time. What is superseded or abandoned is no longer to do. */
function burnUp(all: readonly TaskEntry[]): { scope: Point[]; merged: Point[] } {
  const events = all.flatMap(({ history }) => history)
  const added = all.map(({ created }): [string, number] => [created, 1])
  const dropped = events.flatMap(({ event, time }): [string, number][] => (['superseded', 'abandoned'].includes(event) ? [[time, -1]] : []))
  const merged = events.flatMap(({ event, time }): [string, number][] => (event === 'merged' ? [[time, 1]] : []))
  const start = all[0] === undefined ? [] : [[all[0].created, 0] as const]
  return { scope: thinned(running([...start, ...added, ...dropped])), merged: thinned(running([...start, ...merged])) }
}

/** The share of approvals among all verdicts so far, in percent. */
function approvalRate(all: readonly TaskEntry[]): Point[] {
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

function cycleTimes(all: readonly TaskEntry[], took: Readonly<Record<string, number>>): (Point & { task: string })[] {
  const merged = all.flatMap(({ id, history }) => {
    const [at, value] = [history.find(({ event }) => event === 'merged')?.time, took[id]]
    return at === undefined || value === undefined ? [] : [{ at, value, task: id }]
  })
  return merged.toSorted((one, other) => one.at.localeCompare(other.at)).slice(-POINTS)
}

function byRole(played: readonly Run[]) {
  const groups = Map.groupBy(played, ({ agent_role }) => agent_role)
  return [...groups].map(([role, theirs]) => ({ role, runs: theirs.length, ...spentOnTask(theirs) }))
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

/** After a checkpoint, at the end, or in between; the figures of that moment are kept with it. */
export const addRetrospective = defineOperation({
  name: 'board.add_retrospective',
  summary: 'Write down what you make of the sprint; its figures are kept with it',
  by: ['person'],
  effect: 'change',
  command: 'board retrospective <notes>',
  input: z.strictObject(RetrospectiveNote.shape),
  output: Board.shape.sprint.shape.retrospective.unwrap().unwrap(),
  example: { notes: 'The plan held', spec_gaps: ['The order of lists'], actions: ['Write it down'] },
  tell: () => 'Kept with the figures of the sprint.',
  run: async ({ driver, board_id, actor }: RecordsContext, said) => {
    const by = needPerson(actor)
    return driver.transaction(async (tx) => {
      const was = await boards.get(tx, board_id)
      const all = await tasks.items(tx, { where: { board_id } })
      const { decisions = [], records = [], ...more } = was.item.sprint.retrospective ?? {}
      const record = { ...said, timestamp: (await tx.now()).toISOString(), by, metrics: numbersOf(boardMetrics(all)) }
      const retrospective = { ...more, decisions, records: [...records, record] }
      await recordActivity(tx, board_id, { agent: by, action: 'retrospective', detail: said.notes })
      await boards.replace(tx, was, { ...was.item, sprint: { ...was.item.sprint, retrospective } })
      return retrospective
    })
  },
})

/** The time of each task is in its history; a record of the sprint keeps the sums. */
function numbersOf(metrics: object): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).filter((entry): entry is [string, number] => typeof entry[1] === 'number'))
}

import type { BoardGraph } from '../views.ts'

type GraphTask = BoardGraph['tasks'][number]

export interface PlacedTask {
  task: GraphTask
  x: number
  y: number
}

/** A point of an arrow; it goes straight through a column and bends between two. */
export interface ArrowPoint {
  x: number
  y: number
}

export const NODE = { width: 176, height: 52 } as const
const LANE_HEIGHT = 4
const GAP = { x: 64, y: 16 } as const
const EDGE = 8

/** What is in a column: a task, or the lane that the arrows of one pass it by. */
interface Slot {
  id: string
  task: GraphTask | null
  /** What it is joined to in the column before. */
  after: readonly string[]
}

/**
 * Puts every task to the right of all it waits for, beside what it is joined to. Arrows lead from the task that has to be merged to the
 * one that waits for it, and pass the columns in between on lanes of their own: none runs behind a task.
 */
export function layOut(tasks: readonly GraphTask[]) {
  const depth = depthsOf(tasks)
  const columns = columnsOf(tasks, depth)
  const middles: Map<string, number>[] = []
  const placed: PlacedTask[] = []
  let height = 0
  for (const [at, column] of columns.entries()) {
    const middle = new Map<string, number>()
    let y = EDGE
    for (const { id, task } of ordered(column, middles.at(-1) ?? new Map())) {
      const tall = task === null ? LANE_HEIGHT : NODE.height
      if (task !== null) placed.push({ task, x: left(at), y })
      middle.set(id, y + tall / 2)
      y += tall + GAP.y
    }
    middles.push(middle)
    height = Math.max(height, y - GAP.y + EDGE)
  }
  const arrows = tasks.flatMap((task) =>
    task.depends_on.filter((id) => depth.has(id)).map((id) => ({ from: id, to: task.id, points: pointsOf(id, task.id, depth, middles) })),
  )
  return { width: left(columns.length) - GAP.x + EDGE, height: Math.max(height, NODE.height + 2 * EDGE), placed, arrows }
}

function left(column: number): number {
  return EDGE + column * (NODE.width + GAP.x)
}

/** The depth of a task is the length of the longest way to it. The server lets no circle in; one that came anyway ends at the count of tasks. */
function depthsOf(tasks: readonly GraphTask[]): ReadonlyMap<string, number> {
  const depth = new Map(tasks.map(({ id }) => [id, 0]))
  for (let round = 0, moved = true; moved && round < tasks.length; round++) {
    moved = false
    for (const { id, depends_on } of tasks) {
      const least = Math.max(0, ...depends_on.map((other) => (depth.get(other) ?? -1) + 1))
      if (least > (depth.get(id) ?? 0) && least < tasks.length) {
        depth.set(id, least)
        moved = true
      }
    }
  }
  return depth
}

/** The tasks of each depth, and a lane for each task whose arrows go on to a later column. */
function columnsOf(tasks: readonly GraphTask[], depth: ReadonlyMap<string, number>): Slot[][] {
  const columns: Slot[][] = Array.from({ length: Math.max(0, ...depth.values()) + 1 }, () => [])
  for (const task of tasks) columns[depth.get(task.id) ?? 0]?.push({ id: task.id, task, after: task.depends_on })
  for (const { id: to, depends_on } of tasks) {
    for (const id of depends_on) {
      for (const column of between(columns, depth.get(id), depth.get(to))) {
        if (!column.some((slot) => slot.id === id)) column.push({ id, task: null, after: [id] })
      }
    }
  }
  return columns
}

function between<Column>(columns: readonly Column[], from = 0, to = 0): Column[] {
  return columns.slice(from + 1, Math.max(to, from + 1))
}

/** By the middle of what each is joined to, so that few arrows cross. */
function ordered(column: readonly Slot[], before: ReadonlyMap<string, number>): Slot[] {
  const middle = ({ after }: Slot) => {
    const ys = after.flatMap((id) => before.get(id) ?? [])
    return ys.length === 0 ? Infinity : ys.reduce((sum, y) => sum + y, 0) / ys.length
  }
  return column.toSorted((one, other) => (middle(one) === middle(other) ? 0 : middle(one) - middle(other)))
}

function pointsOf(
  from: string,
  to: string,
  depth: ReadonlyMap<string, number>,
  middles: readonly ReadonlyMap<string, number>[],
): ArrowPoint[] {
  const [first, last] = [depth.get(from) ?? 0, depth.get(to) ?? 0]
  const yOf = (id: string, column: number) => middles[column]?.get(id) ?? 0
  const lanes = Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => first + 1 + at).flatMap((column) => {
    const y = yOf(from, column)
    return [
      { x: left(column), y },
      { x: left(column) + NODE.width, y },
    ]
  })
  return [{ x: left(first) + NODE.width, y: yOf(from, first) }, ...lanes, { x: left(last), y: yOf(to, last) }]
}

import type { BoardGraph } from './views.ts'

type GraphTask = BoardGraph['tasks'][number]

export interface PlacedTask {
  task: GraphTask
  x: number
  y: number
}

export const NODE = { width: 176, height: 52 } as const
const GAP = { x: 64, y: 16 } as const
const EDGE = 8

/** Puts every task to the right of all it waits for, beside what it is joined to. Arrows lead from the task that has to be merged to the one that waits for it. */
export function layOut(tasks: readonly GraphTask[]) {
  const layers = inLayers(tasks)
  const rowOf = new Map<string, number>()
  const placed = layers.flatMap((layer, column) =>
    ordered(layer, rowOf).map((task, row): PlacedTask => {
      rowOf.set(task.id, row)
      return { task, x: EDGE + column * (NODE.width + GAP.x), y: EDGE + row * (NODE.height + GAP.y) }
    }),
  )
  const byId = new Map(placed.map((spot) => [spot.task.id, spot]))
  const arrows = placed.flatMap((to) =>
    to.task.depends_on.flatMap((id) => {
      const from = byId.get(id)
      return from === undefined ? [] : [{ from, to }]
    }),
  )
  const tallest = Math.max(1, ...layers.map((layer) => layer.length))
  return {
    width: 2 * EDGE + layers.length * (NODE.width + GAP.x) - GAP.x,
    height: 2 * EDGE + tallest * (NODE.height + GAP.y) - GAP.y,
    placed,
    arrows,
  }
}

/** The layer of a task is the length of the longest way to it. The server lets no circle in; one that came anyway ends at the count of tasks. */
function inLayers(tasks: readonly GraphTask[]): GraphTask[][] {
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
  const layers: GraphTask[][] = []
  for (const task of tasks) (layers[depth.get(task.id) ?? 0] ??= []).push(task)
  return layers
}

/** By the middle of what each task waits for, so that few arrows cross. */
function ordered(layer: readonly GraphTask[], rowOf: ReadonlyMap<string, number>): GraphTask[] {
  const middle = ({ depends_on }: GraphTask) => {
    const rows = depends_on.flatMap((id) => rowOf.get(id) ?? [])
    return rows.length === 0 ? Infinity : rows.reduce((sum, row) => sum + row, 0) / rows.length
  }
  return layer.toSorted((one, other) => (middle(one) === middle(other) ? 0 : middle(one) - middle(other)))
}

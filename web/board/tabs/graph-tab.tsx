import { useMemo } from 'react'
import { Link } from 'wouter'
import type { BoardGraph } from '../views.ts'
import { useRead } from '../../api.ts'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import type { Tone } from '../../ui/status/badge.tsx'
import { layOut, NODE, type ArrowPoint, type PlacedTask } from './graph-layout.ts'
import { taskStates } from '../../../src/domain/board/task-flow.ts'

/** Who waits for whom, from left to right: everything that is open, or what surrounds one task. */
export function GraphTab({ boardId, around }: { boardId: string; around?: string }) {
  const graph = useRead('board.view_graph', { board: boardId, ...(around !== undefined && { around }) })
  if (graph.isPending) return <Loading />
  if (graph.isError) return <ErrorNote error={graph.error} />
  if (graph.data.tasks.length === 0) {
    return <EmptyState title="Nothing is open">What a task depends on is drawn here as soon as there are tasks.</EmptyState>
  }
  return (
    <div className="flex flex-col gap-2">
      <GraphDrawing boardId={boardId} graph={graph.data} around={around} />
      <p className="text-xs text-soft">
        A task can be claimed when everything left of it that it is joined to is merged.
        {graph.data.left_out > 0 &&
          ` ${graph.data.left_out.toLocaleString()} more open tasks are not drawn; open one to see what surrounds it.`}
      </p>
    </div>
  )
}

function GraphDrawing({ boardId, graph, around }: { boardId: string; graph: BoardGraph; around: string | undefined }) {
  const plan = useMemo(() => layOut(graph.tasks), [graph])
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Dependencies"
      className="max-h-[70dvh] overflow-auto rounded-xl border border-line bg-surface"
    >
      <svg width={plan.width} height={plan.height} viewBox={`0 0 ${plan.width} ${plan.height}`} className="block">
        <g className="fill-none stroke-soft" strokeWidth={1.25} opacity={0.7}>
          {plan.arrows.map(({ from, to, points }) => (
            <path key={`${from} ${to}`} d={arrow(points)} />
          ))}
        </g>
        {plan.placed.map((spot) => (
          <Node key={spot.task.id} boardId={boardId} spot={spot} here={spot.task.id === around} />
        ))}
      </svg>
    </div>
  )
}

const paint: Record<Tone, string> = {
  neutral: 'fill-raised stroke-line',
  accent: 'fill-accent-wash stroke-accent',
  good: 'fill-good-wash stroke-good',
  warn: 'fill-warn-wash stroke-warn',
  danger: 'fill-danger-wash stroke-danger',
}

function Node({ boardId, spot, here }: { boardId: string; spot: PlacedTask; here: boolean }) {
  const { task, x, y } = spot
  const { label, tone } = taskStates[task.status]
  return (
    <Link href={`/board/${boardId}/task/${task.id}`}>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx={8} strokeWidth={here ? 2.5 : 1} className={paint[tone]}>
        <title>{`${task.id}: ${task.title}`}</title>
      </rect>
      <foreignObject x={x + 10} y={y + 6} width={NODE.width - 20} height={NODE.height - 12} className="pointer-events-none">
        <p className="truncate text-xs leading-5 font-medium text-ink">{task.title}</p>
        <p className="truncate text-xs leading-5 text-soft">
          {task.id} · {label}
        </p>
      </foreignObject>
    </Link>
  )
}

/** Bends between two columns, and goes straight through one. */
function arrow(points: readonly ArrowPoint[]): string {
  const [start, ...rest] = points
  if (start === undefined) return ''
  let { x, y } = start
  const parts = [`M${x} ${y}`]
  for (const [at, to] of rest.entries()) {
    const bend = (to.x - x) / 2
    parts.push(at % 2 === 1 ? `H${to.x}` : `C${x + bend} ${y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`)
    ;({ x, y } = to)
  }
  return `${parts.join(' ')} M${x - 6} ${y - 4} L${x} ${y} L${x - 6} ${y + 4}`
}

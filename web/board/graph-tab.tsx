import { useMemo } from 'react'
import { Link } from 'wouter'
import type { BoardGraph } from './views.ts'
import { shorten } from '../../src/domain/text/shorten.ts'
import { useRead } from '../api.ts'
import { EmptyState, ErrorNote, Loading } from '../ui/notice.tsx'
import type { Tone } from '../ui/badge.tsx'
import { layOut, NODE, type PlacedTask } from './graph-layout.ts'
import { taskStates } from './task-states.ts'

const TITLE_CHARS = 24
const ID_CHARS = 14

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
          {plan.arrows.map(({ from, to }) => (
            <path key={`${from.task.id} ${to.task.id}`} d={arrow(from, to)} />
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
  const title = shorten(task.title, TITLE_CHARS)
  const foot = `${task.id.slice(0, ID_CHARS)} · ${label}`
  return (
    <Link href={`/board/${boardId}/task/${task.id}`}>
      <rect x={x} y={y} width={NODE.width} height={NODE.height} rx={8} strokeWidth={here ? 2.5 : 1} className={paint[tone]}>
        <title>{`${task.id}: ${task.title}`}</title>
      </rect>
      <text x={x + 10} y={y + 20} className="pointer-events-none fill-ink text-xs font-medium">
        {title}
      </text>{' '}
      <text x={x + 10} y={y + 39} className="pointer-events-none fill-soft text-[11px]">
        {foot}
      </text>
    </Link>
  )
}

function arrow(from: PlacedTask, to: PlacedTask): string {
  const [x1, y1, x2, y2] = [from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2]
  const bend = (x2 - x1) / 2
  return `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2} M${x2 - 6} ${y2 - 4} L${x2} ${y2} L${x2 - 6} ${y2 + 4}`
}

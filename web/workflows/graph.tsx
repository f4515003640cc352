import { useMemo, type KeyboardEvent } from 'react'
import type { OutlineStep } from '../../src/domain/workflow/view.ts'
import { layOut, type GraphFrame, type GraphLine, type GraphNode, type GraphTest } from './graph-layout.ts'

export type StepStatus = 'done' | 'open' | 'skipped'

interface GraphProps {
  steps: readonly OutlineStep[]
  /** How far each step has come, in a run. */
  statuses?: ReadonlyMap<string, StepStatus>
  chosen?: string | null
  onChoose?: (id: string) => void
}

/** A workflow as a drawing: its steps, the conditions that pass over some, the loops that repeat others. */
export function Graph({ steps, statuses = new Map(), chosen = null, onChoose }: GraphProps) {
  const graph = useMemo(() => layOut(steps), [steps])
  return (
    <svg
      viewBox={`0 0 ${graph.width} ${graph.height}`}
      className="mx-auto block w-full max-w-[460px]"
      role="group"
      aria-label="The steps as a graph"
    >
      <defs>
        <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
          <path d="M0 0 L8 4 L0 8 z" className="fill-soft" />
        </marker>
      </defs>
      {graph.frames.map((frame) => (
        <Frame key={`${frame.x} ${frame.y}`} frame={frame} />
      ))}
      {graph.lines.map((line) => (
        <Line key={line.points.join(' ')} line={line} />
      ))}
      {graph.ends.map(([x, y]) => (
        <circle key={y} cx={x} cy={y} r={5} className="fill-soft" aria-hidden />
      ))}
      {graph.tests.map((test) => (
        <Test key={test.y} test={test} />
      ))}
      {graph.nodes.map((node) => (
        <Node key={node.id} node={node} status={statuses.get(node.id) ?? null} chosen={node.id === chosen} onChoose={onChoose} />
      ))}
    </svg>
  )
}

const looks = {
  done: { box: 'fill-good-wash stroke-good', sign: '✓ ', said: ', done' },
  open: { box: 'fill-accent-wash stroke-accent', sign: '▸ ', said: ', at work' },
  skipped: { box: 'fill-raised stroke-line', sign: '– ', said: ', passed over' },
} as const

interface NodeProps {
  node: GraphNode
  status: StepStatus | null
  chosen: boolean
  onChoose: ((id: string) => void) | undefined
}

function Node({ node, status, chosen, onChoose }: NodeProps) {
  const look = status === null ? { box: 'fill-surface stroke-line', sign: '', said: '' } : looks[status]
  const middle = node.x + node.width / 2
  const choose = () => onChoose?.(node.id)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose()
  }
  const named =
    onChoose === undefined
      ? { role: 'img', 'aria-label': `${node.title.join(' ')}${look.said}` }
      : { role: 'button', tabIndex: 0, onClick: choose, onKeyDown: onKey, 'aria-pressed': chosen, className: 'cursor-pointer' }
  return (
    <g {...named}>
      <rect
        x={node.x}
        y={node.y}
        width={node.width}
        height={node.height}
        rx={10}
        strokeWidth={chosen ? 2.5 : 1.25}
        strokeDasharray={status === 'skipped' ? '4 3' : undefined}
        className={chosen && status === null ? 'fill-accent-wash stroke-accent' : look.box}
      />
      {node.title.map((line, at) => (
        <text key={line} x={middle} y={node.y + 21 + at * 17} textAnchor="middle" className="fill-ink text-[14px] font-medium">
          {at === 0 ? look.sign : ''}
          {`${line} `}
        </text>
      ))}
      <text x={middle} y={node.y + node.height - 9} textAnchor="middle" className="fill-soft text-[12px]">
        {node.about}
      </text>
    </g>
  )
}

function Test({ test }: { test: GraphTest }) {
  const { x, y, width, height, text } = test
  const [right, bottom, slant] = [x + width, y + height, 12]
  const middle = y + height / 2
  const corners = [
    [x, middle],
    [x + slant, y],
    [right - slant, y],
    [right, middle],
    [right - slant, bottom],
    [x + slant, bottom],
  ]
  return (
    <g aria-label={`Condition: ${text.join(' ')}`} role="img">
      <polygon points={corners.map((corner) => corner.join(',')).join(' ')} className="fill-warn-wash stroke-warn/50" />
      {text.map((line, at) => (
        <text key={line} x={x + width / 2} y={y + 18 + at * 15} textAnchor="middle" className="fill-warn font-mono text-[12px]">
          {line}
        </text>
      ))}
    </g>
  )
}

function Frame({ frame }: { frame: GraphFrame }) {
  const { x, y, width, height, title, about } = frame
  return (
    <g aria-label={`Loop: ${title}, ${about.join(' ')}`} role="img">
      <rect x={x} y={y} width={width} height={height} rx={14} strokeDasharray="6 4" className="fill-raised stroke-soft/60" />
      <text x={x + 14} y={y + 22} className="fill-ink text-[13px] font-semibold">
        ↻ {title}
      </text>
      {about.map((line, at) => (
        <text key={line} x={x + 14} y={y + 39 + at * 15} className="fill-soft text-[12px]">
          {line}
        </text>
      ))}
    </g>
  )
}

function Line({ line }: { line: GraphLine }) {
  const [first, second] = line.points
  return (
    <g aria-hidden>
      <polyline
        points={line.points.map((point) => point.join(',')).join(' ')}
        fill="none"
        strokeWidth={1.25}
        strokeLinejoin="round"
        markerEnd={line.arrow ? 'url(#arrow)' : undefined}
        className="stroke-soft"
      />
      {line.label !== null && first !== undefined && second !== undefined && (
        <text
          x={first[0] + (second[0] < first[0] ? -34 : 5)}
          y={second[1] === first[1] ? first[1] - 4 : (first[1] + second[1]) / 2 + 3}
          className="fill-soft text-xs"
        >
          {line.label}
        </text>
      )}
    </g>
  )
}

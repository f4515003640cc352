import { useId } from 'react'

interface Point {
  /** A moment, or the number of a step. */
  at: string | number
  value: number
}

interface Series {
  name: string
  points: readonly Point[]
  look: 'accent' | 'good' | 'warn'
  /** A value holds until the next one, as a count does. */
  steps?: boolean
  /** Single events rather than a course. */
  dots?: boolean
}

interface ChartProps {
  title: string
  series: readonly Series[]
  format: (value: number) => string
  /** The top of the scale where it is known, such as 100 for a share. */
  top?: number
}

const SIZE = { width: 640, height: 220, left: 52, right: 12, top: 12, bottom: 26 } as const
const inks = { accent: 'stroke-accent', good: 'stroke-good', warn: 'stroke-warn' } as const
const fills = { accent: 'fill-accent', good: 'fill-good', warn: 'fill-warn' } as const

/** How figures went over time or from step to step, with a table of the same for who cannot see it. */
export function Chart({ title, series, format, top }: ChartProps) {
  const id = useId()
  const all = series.flatMap(({ points }) => points)
  const scale = scaleOf(all, top)
  return (
    <figure aria-labelledby={id} className="flex flex-col gap-1 rounded-xl border border-line bg-surface p-4">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-sm font-semibold">
          {title}
        </h2>
        <span className="flex gap-3 text-xs text-soft">
          {series.length > 1 && series.map((one) => <Legend key={one.name} series={one} />)}
        </span>
      </figcaption>
      {scale === null ? (
        <p className="py-10 text-center text-sm text-soft">No figures yet.</p>
      ) : (
        <>
          <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden className="w-full">
            <Axes scale={scale} format={format} />
            {series.map((one) => (
              <Course key={one.name} series={one} scale={scale} format={format} />
            ))}
          </svg>
          <FigureTable title={title} series={series} format={format} />
        </>
      )}
    </figure>
  )
}

interface Scale {
  from: number
  until: number
  highest: number
  x: (at: Point['at']) => number
  /** How a place on the axis is written. */
  label: (place: number, seconds?: boolean) => string
  y: (value: number) => number
}

function scaleOf(points: readonly Point[], top: number | undefined): Scale | null {
  if (points.length === 0) return null
  const times = points.map(({ at }) => placeOf(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const alone = first === last ? 1 : 0 // a single moment is in the middle
  const [from, until] = [first - alone, last + alone]
  const highest = top ?? roundUp(Math.max(1, ...points.map(({ value }) => value)))
  const [wide, high] = [SIZE.width - SIZE.left - SIZE.right, SIZE.height - SIZE.top - SIZE.bottom]
  return {
    from,
    until,
    highest,
    x: (at) => SIZE.left + ((placeOf(at) - from) / (until - from)) * wide,
    label:
      typeof points[0]?.at === 'number'
        ? (place) => (Number.isInteger(place) && place >= first && place <= last ? `step ${place}` : '')
        : timeText,
    y: (value) => SIZE.top + high - (value / highest) * high,
  }
}

function placeOf(at: Point['at']): number {
  return typeof at === 'number' ? at : Date.parse(at)
}

function atText(at: Point['at']): string {
  return typeof at === 'number' ? `step ${at}` : timeText(Date.parse(at), true)
}

/** The next of 1, 2, 4, 5, 8, 10, 20 …: halves of them are still short to write. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power
}

function Axes({ scale, format }: { scale: Scale; format: (value: number) => string }) {
  const words = [scale.highest, 0].map(format)
  const levels = [0, scale.highest / 2, scale.highest].filter((level, at) => at !== 1 || !words.includes(format(level)))
  const short = scale.label(scale.from) === scale.label(scale.until)
  const [from, until] = [scale.label(scale.from, short), scale.label(scale.until, short)]
  return (
    <g className="fill-soft text-xs">
      {levels.map((level) => (
        <g key={level}>
          <line x1={SIZE.left} x2={SIZE.width - SIZE.right} y1={scale.y(level)} y2={scale.y(level)} className="stroke-line" />
          <text x={SIZE.left - 6} y={scale.y(level) + 4} textAnchor="end">
            {format(level)}
          </text>
        </g>
      ))}
      <text x={SIZE.left} y={SIZE.height - 8}>
        {from}
      </text>
      {from !== until && (
        <text x={SIZE.width - SIZE.right} y={SIZE.height - 8} textAnchor="end">
          {until}
        </text>
      )}
    </g>
  )
}

/** Seconds only where there is little between two marks. */
function timeText(at: number, seconds = false): string {
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const
  return new Date(at).toLocaleString([], seconds ? { ...parts, second: '2-digit' } : parts)
}

/** A line through the points, or the points alone; whoever points at one reads what it stands for. */
function Course({ series, scale, format }: { series: Series; scale: Scale; format: ChartProps['format'] }) {
  const { points, look, dots = false } = series
  return (
    <g>
      {!dots && <path d={lineThrough(series, scale)} className={`fill-none ${inks[look]}`} strokeWidth={2} strokeLinejoin="round" />}
      {points.map(({ at, value }, index) => (
        <circle key={index} cx={scale.x(at)} cy={scale.y(value)} r={dots ? 3.5 : 2.5} className={fills[look]}>
          <title>{`${atText(at)}: ${format(value)}`}</title>
        </circle>
      ))}
    </g>
  )
}

function lineThrough(series: Series, scale: Scale): string {
  const spots = series.points.map(({ at, value }) => [scale.x(at), scale.y(value)] as const)
  const line = spots.map(([x, y], at) => (at === 0 ? `M${x} ${y}` : series.steps === true ? `H${x} V${y}` : `L${x} ${y}`)).join(' ')
  const end = series.steps === true && spots.length > 0 ? ` H${SIZE.width - SIZE.right}` : ''
  return line + end
}

function Legend({ series }: { series: Series }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <svg width={14} height={8} aria-hidden>
        <line x1={0} x2={14} y1={4} y2={4} strokeWidth={2.5} className={inks[series.look]} />
      </svg>
      {series.name}
    </span>
  )
}

function FigureTable({ title, series, format }: Omit<ChartProps, 'top'>) {
  return (
    <table className="sr-only">
      <caption>{title}</caption>
      <tbody>
        {series.flatMap(({ name, points }) =>
          points.map(({ at, value }, index) => (
            <tr key={`${name} ${index}`}>
              <th scope="row">
                {name}, {atText(at)}
              </th>
              <td>{format(value)}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}

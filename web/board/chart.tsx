import { useId } from 'react'

interface Point {
  at: string
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

/** A plain drawing of how figures went over time; the words below it say the same to who cannot see it. */
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
        <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={inWords(series, format)} className="w-full">
          <Axes scale={scale} format={format} />
          {series.map((one) => (
            <Course key={one.name} series={one} scale={scale} />
          ))}
        </svg>
      )}
    </figure>
  )
}

interface Scale {
  from: number
  until: number
  highest: number
  x: (at: string) => number
  y: (value: number) => number
}

function scaleOf(points: readonly Point[], top: number | undefined): Scale | null {
  if (points.length === 0) return null
  const times = points.map(({ at }) => Date.parse(at))
  const [first, last] = [Math.min(...times), Math.max(...times)]
  const alone = first === last ? 1 : 0 // a single moment stands in the middle
  const [from, until] = [first - alone, last + alone]
  const highest = top ?? roundUp(Math.max(1, ...points.map(({ value }) => value)))
  const [wide, high] = [SIZE.width - SIZE.left - SIZE.right, SIZE.height - SIZE.top - SIZE.bottom]
  return {
    from,
    until,
    highest,
    x: (at) => SIZE.left + ((Date.parse(at) - from) / (until - from)) * wide,
    y: (value) => SIZE.top + high - (value / highest) * high,
  }
}

/** The next of 1, 2, 4, 5, 8, 10, 20 …: halves of them are still short to write. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 4, 5, 8, 10].find((step) => step * power >= value) ?? 10) * power
}

function Axes({ scale, format }: { scale: Scale; format: (value: number) => string }) {
  const words = [scale.highest, 0].map(format)
  const levels = [0, scale.highest / 2, scale.highest].filter((level, at) => at !== 1 || !words.includes(format(level)))
  const [from, until] = [timeText(scale.from), timeText(scale.until)]
  const short = from === until
  return (
    <g className="fill-soft text-[11px]">
      {levels.map((level) => (
        <g key={level}>
          <line x1={SIZE.left} x2={SIZE.width - SIZE.right} y1={scale.y(level)} y2={scale.y(level)} className="stroke-line" />
          <text x={SIZE.left - 6} y={scale.y(level) + 4} textAnchor="end">
            {format(level)}
          </text>
        </g>
      ))}
      <text x={SIZE.left} y={SIZE.height - 8}>
        {timeText(scale.from, short)}
      </text>
      {timeText(scale.from, short) !== timeText(scale.until, short) && (
        <text x={SIZE.width - SIZE.right} y={SIZE.height - 8} textAnchor="end">
          {timeText(scale.until, short)}
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

function Course({ series, scale }: { series: Series; scale: Scale }) {
  const spots = series.points.map(({ at, value }) => [scale.x(at), scale.y(value)] as const)
  if (series.dots === true) {
    return (
      <g className={fills[series.look]}>
        {spots.map(([x, y], at) => (
          <circle key={at} cx={x} cy={y} r={3.5} />
        ))}
      </g>
    )
  }
  const line = spots.map(([x, y], at) => (at === 0 ? `M${x} ${y}` : series.steps === true ? `H${x} V${y}` : `L${x} ${y}`)).join(' ')
  const end = series.steps === true && spots.length > 0 ? ` H${SIZE.width - SIZE.right}` : ''
  return <path d={line + end} className={`fill-none ${inks[series.look]}`} strokeWidth={2} strokeLinejoin="round" />
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

function inWords(series: readonly Series[], format: (value: number) => string): string {
  return series
    .map(({ name, points }) => {
      const [first, last] = [points[0], points.at(-1)]
      return first === undefined || last === undefined
        ? `${name}: no figures`
        : `${name}: ${points.length} points, from ${format(first.value)} to ${format(last.value)}`
    })
    .join('; ')
}

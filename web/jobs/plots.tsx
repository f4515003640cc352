interface Bar {
  name: string
  parts: { label: string; value: number; color: string }[]
}

const WIDTH = 400
const ROW = 34
const HEIGHT = 120

/** Horizontal bars, each made of parts; the numbers stand beside them, so colour is never the only sign. */
export function BarPlot({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const longest = Math.max(...bars.map(totalOf), Number.EPSILON)
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-xs font-semibold text-soft">{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${bars.length * ROW}`}
        role="img"
        aria-label={`${title}: ${bars.map(inWords).join('; ')}`}
        className="w-full"
      >
        {bars.map((bar, row) => (
          <g key={bar.name} transform={`translate(0 ${row * ROW})`}>
            <text y={11} className="fill-current text-[11px]">
              {inWords(bar)}
            </text>
            {segmentsOf(bar, longest).map(({ label, value, color, x, width }) => (
              <rect key={label} x={x} y={16} width={width} height={12} rx={2} fill={color}>
                <title>{`${label}: ${value}`}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
    </figure>
  )
}

/** One value after the other, from zero up. */
export function LinePlot({ title, unit, points }: { title: string; unit: string; points: readonly number[] }) {
  const highest = Math.max(...points, Number.EPSILON)
  const x = (at: number) => (points.length < 2 ? WIDTH / 2 : 6 + (at * (WIDTH - 12)) / (points.length - 1))
  const y = (value: number) => HEIGHT - 6 - (value / highest) * (HEIGHT - 24)
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="text-xs font-semibold text-soft">{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}, at most ${highest.toPrecision(3)} ${unit}`}
        className="w-full rounded border border-line"
      >
        <text x={6} y={12} className="fill-current text-[10px] opacity-70">
          {highest.toPrecision(3)} {unit}
        </text>
        <polyline
          points={points.map((value, at) => `${x(at)},${y(value)}`).join(' ')}
          fill="none"
          stroke="var(--accent)"
          strokeWidth={1.5}
        />
        {points.map((value, at) => (
          <circle key={at} cx={x(at)} cy={y(value)} r={points.length > 100 ? 1 : 2.5} fill="var(--accent)">
            <title>{`${at + 1}: ${value.toPrecision(3)} ${unit}`}</title>
          </circle>
        ))}
      </svg>
    </figure>
  )
}

function segmentsOf({ parts }: Bar, longest: number) {
  let x = 0
  return parts
    .filter(({ value }) => value > 0)
    .map((part) => {
      const width = (part.value / longest) * WIDTH
      const segment = { ...part, x, width: Math.max(1, width - 1) }
      x += width
      return segment
    })
}

function totalOf({ parts }: Bar): number {
  return parts.reduce((sum, { value }) => sum + value, 0)
}

function inWords({ name, parts }: Bar): string {
  const told = parts.filter(({ value }) => value > 0).map(({ label, value }) => `${Number(value.toPrecision(3))} ${label}`)
  return `${name}: ${told.join(', ') || 'nothing'}`
}

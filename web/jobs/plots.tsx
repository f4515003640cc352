interface Bar {
  name: string
  parts: { label: string; value: number; color: string }[]
}

/** How a value is written beside its mark. */
type Say = (value: number) => string

const WIDTH = 400
const HEIGHT = 120

/** Horizontal bars, each made of parts; the numbers stand above them, so colour is never the only sign. */
export function BarPlot({ title, bars, say }: { title: string; bars: readonly Bar[]; say: Say }) {
  const longest = Math.max(...bars.map(totalOf), Number.EPSILON)
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="text-xs font-semibold text-soft">{title}</figcaption>
      <ul className="flex flex-col gap-2">
        {bars.map((bar) => (
          <li key={bar.name} className="text-xs">
            <p className="mb-1">{inWords(bar, say)}</p>
            <svg viewBox={`0 0 ${WIDTH} 12`} preserveAspectRatio="none" className="h-3 w-full" aria-hidden>
              {segmentsOf(bar, longest).map(({ label, value, color, x, width }) => (
                <rect key={label} x={x} width={width} height={12} fill={color}>
                  <title>{`${say(value)} ${label}`.trim()}</title>
                </rect>
              ))}
            </svg>
          </li>
        ))}
      </ul>
    </figure>
  )
}

/** One value after the other, from zero up to the highest, which is written at the top. */
export function LinePlot({ title, say, points }: { title: string; say: Say; points: readonly number[] }) {
  const highest = Math.max(...points, 0)
  const x = (at: number) => (points.length < 2 ? WIDTH / 2 : 6 + (at * (WIDTH - 12)) / (points.length - 1))
  const y = (value: number) => HEIGHT - 6 - (value / (highest || 1)) * (HEIGHT - 14)
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="flex justify-between gap-2 text-xs text-soft">
        <span className="font-semibold">{title}</span>
        <span className="tabular-nums">at most {say(highest)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${title}: ${points.length} steps, at most ${say(highest)}`}
        className="w-full rounded border border-line bg-surface"
      >
        <polyline
          points={points.map((value, at) => `${x(at)},${y(value)}`).join(' ')}
          fill="none"
          stroke="var(--accent)"
          strokeWidth={1.5}
        />
        {points.map((value, at) => (
          <circle key={at} cx={x(at)} cy={y(value)} r={points.length > 100 ? 1 : 2.5} fill="var(--accent)">
            <title>{`step ${at + 1}: ${say(value)}`}</title>
          </circle>
        ))}
      </svg>
      <p className="flex justify-between text-xs text-soft" aria-hidden>
        <span>step 1</span>
        {points.length > 1 && <span>step {points.length}</span>}
      </p>
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

function inWords({ name, parts }: Bar, say: Say): string {
  const told = parts.filter(({ value }) => value > 0).map(({ label, value }) => `${say(value)} ${label}`.trim())
  return `${name}: ${told.join(', ') || 'nothing'}`
}

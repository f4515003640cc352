/** A number and what it counts: `1 task`, `3 tasks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** A cost, and whether some of it is reckoned instead of counted. */
export interface Spending {
  cost_microusd: number | null
  estimated?: boolean | undefined
}

/** What is spent, of what may be; the price of a model may be unknown. */
export function spentText({ cost_microusd, estimated = false }: Spending, limit: number | null = null): string {
  const cost = cost_microusd === null ? 'cost unknown' : `${estimated ? '≈' : ''}${dollars(cost_microusd)}`
  return `${cost}${limit === null ? '' : ` of ${dollars(limit)}`}`
}

/** Micro-dollars as a person reads them; little money is shown in full, for it must not look like none. */
export function dollars(microusd: number): string {
  const digits = microusd === 0 || microusd >= 10_000 ? 2 : microusd >= 100 ? 4 : 6
  return `$${(microusd / 1_000_000).toFixed(digits)}`
}

/** A span of time in the units that fit: `350 ms`, `2.4 s`, `40 s`, `3 min 5 s`, `2 h 10 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 9_950) return `${(ms / 1_000).toFixed(1)} s`
  return elapsedText(ms)
}

/** The same in whole seconds, for what is still going on. */
export function elapsedText(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** A text of at most so many characters; what is cut off leaves a … behind. */
export function shorten(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1)}…` : text
}

/** Text with full commit ids cut to what people tell them apart by. */
export function shortIds(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{28,52}\b/g, '$1')
}

/** A moment to come, as a clock on the wall shows it, with its day where that is not today. */
export function clockText(iso: string, now = new Date()): string {
  const at = new Date(iso)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const isToday = at.toDateString() === now.toDateString()
  return isToday ? time : `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${time}`
}

/** What is spent, of what may be; the price of a model may be unknown. */
export function spentText(microusd: number | null, limit: number | null = null, estimated = false): string {
  return `${microusd === null ? 'cost unknown' : `${estimated ? '≈' : ''}${dollars(microusd)}`}${limit === null ? '' : ` of ${dollars(limit)}`}`
}

/** Micro-dollars as a person reads them; little money is shown in full, for it must not look like none. */
export function dollars(microusd: number): string {
  const digits = microusd === 0 || microusd >= 10_000 ? 2 : microusd >= 100 ? 4 : 6
  return `$${(microusd / 1_000_000).toFixed(digits)}`
}

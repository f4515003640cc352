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

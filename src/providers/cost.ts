import type { HostedKindName } from './settings.ts'

/** The tokens of a turn that have a price of their own. */
export interface PricedTokens {
  input_tokens: number
  cached_input_tokens: number
  cache_write_tokens: number
  output_tokens: number
}

/** What the price list calls a provider, where that is another name than ours. */
const inPriceList: Partial<Record<HostedKindName, string>> = { xai: 'x-ai', moonshot: 'moonshotai' }

/** Models nobody has a price for: looking for one among thousands takes as long as reading a reply. */
const unpriced = new Set<string>()

/** What a turn cost at list price, rounded up to whole micro-dollars; null for a model whose price is unknown, never 0. */
export async function costMicrousd(provider: HostedKindName, model: string, tokens: PricedTokens): Promise<number | null> {
  const name = `${provider}/${model}`
  if (unpriced.has(name)) return null
  const { calcPrice } = await import('@pydantic/genai-prices')
  const usage = {
    input_tokens: tokens.input_tokens,
    cache_read_tokens: tokens.cached_input_tokens,
    cache_write_tokens: tokens.cache_write_tokens,
    output_tokens: tokens.output_tokens,
  }
  const price = calcPrice(usage, model, { providerId: inPriceList[provider] ?? provider })
  if (price !== null) return Math.ceil(price.total_price * 1e6 - 1e-6)
  unpriced.add(name)
  return null
}

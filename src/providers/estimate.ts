import type { PricedTokens } from './cost.ts'
import type { ModelRequest } from './provider.ts'

/** Four characters are about one token in the languages and code we meet. */
const CHARS_PER_TOKEN = 4

/** About what a request and what came of its answer cost, from the length of their texts; for where nobody counted. */
export function estimateTokens({ system, entries, tools }: ModelRequest, heard: string): PricedTokens {
  const sent = system.length + JSON.stringify(tools).length + entries.reduce((sum, entry) => sum + textOf(entry).length, 0)
  return { ...noTokens, input_tokens: Math.ceil(sent / CHARS_PER_TOKEN), output_tokens: Math.ceil(heard.length / CHARS_PER_TOKEN) }
}

export const noTokens: PricedTokens = { input_tokens: 0, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 0 }

export function addTokens(a: PricedTokens, b: PricedTokens): PricedTokens {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
  }
}

function textOf(entry: ModelRequest['entries'][number]): string {
  if (entry.from === 'assistant') return entry.text + JSON.stringify(entry.calls)
  return entry.from === 'tool' ? entry.output : entry.text
}

import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'

const mark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }

/**
 * Marks what the next turn will send again: the tools, the system text, and the last two messages that are not the model's.
 * Two, because a cache is looked up a limited way back: the older mark is where the turn before wrote it. Four marks are all Anthropic allows.
 */
export function markForCache(
  prompt: LanguageModelV4Prompt,
  tools: readonly LanguageModelV4FunctionTool[],
): { prompt: LanguageModelV4Prompt; tools: LanguageModelV4FunctionTool[] } {
  const last = prompt.findLastIndex((message) => message.role !== 'assistant')
  const before = prompt.findLastIndex((message, at) => at < last && message.role !== 'assistant')
  const marked = prompt.map((message, at) =>
    at === last || at === before || message.role === 'system' ? { ...message, ...mark } : message,
  )
  return { prompt: marked, tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, ...mark } : tool)) }
}

import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { Connection } from './connect.ts'
import { contextWindow } from './context-window.ts'
import type { PricedTokens } from './cost.ts'
import type { ModelRequest, Provider } from './provider.ts'
import { promptFrom, toolsFrom } from './prompt.ts'
import { replyReader, type WholeReply } from './read-reply.ts'
import { withRetry, type RetryPolicy } from './retry.ts'
import type { Wire, WireCall } from './wire.ts'

/** A model behind HTTP. */
export interface HostedOptions {
  connection: Connection
  /** Imports the wire: only a command that asks a model pays for it. */
  load: () => Promise<Wire>
  /** The cost of a turn in micro-dollars; null where nobody knows the price. */
  cost: (model: string, tokens: PricedTokens) => Promise<number | null>
  retry: RetryPolicy
}

/** One request per turn, streamed; our retry, our cancellation, over whatever wire the provider speaks. */
export function hostedProvider({ connection, load, cost, retry }: HostedOptions): Provider {
  const { name } = connection
  let loading: Promise<Wire> | undefined

  async function askOnce(request: ModelRequest, signal: AbortSignal, onText?: (delta: string) => void): Promise<WholeReply> {
    loading ??= load()
    const ask = await loading
    const reader = replyReader({ provider: name, model: request.model, signal, onText })
    try {
      await ask(callOf(request, connection, signal), reader.take)
      return reader.whole()
    } catch (error) {
      const { asProviderProblem } = await import('./failure.ts')
      throw asProviderProblem(error, connection, request.model, new Date())
    }
  }

  return {
    name,
    contextWindow: (model) => contextWindow(model, connection),
    async ask(request, signal, onText, onRetry) {
      const { reply, tokens } = await withRetry(retry, signal, () => askOnce(request, signal, onText), onRetry)
      return { ...reply, usage: { ...reply.usage, cost_microusd: await cost(request.model, tokens) } }
    },
  }
}

function callOf(request: ModelRequest, { name, kind }: Connection, abortSignal: AbortSignal): WireCall {
  const prompt = promptFrom(request, name)
  const tools = toolsFrom(request.tools)
  return {
    model: request.model,
    abortSignal,
    ...(kind === 'anthropic' ? markForCache(prompt, tools) : { prompt, tools }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
  }
}

const mark = { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }

/**
 * Marks what the next turn will send again: the tools, the system text, and the last two messages that are not the model's.
 * Two, because a cache is looked up a limited way back: the older mark is where the turn before wrote it. Four marks are all Anthropic allows.
 */
function markForCache(
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

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { markForCache } from './cache-marks.ts'
import type { Connection } from './connect.ts'
import { contextWindow } from './context-window.ts'
import type { PricedTokens } from './cost.ts'
import type { Models } from './load-models.ts'
import type { ModelRequest, Provider } from './provider.ts'
import { promptFrom, toolsFrom } from './prompt.ts'
import { readReply } from './read-reply.ts'
import type { WholeReply } from './read-reply.ts'
import { withRetry } from './retry.ts'
import type { RetryPolicy } from './retry.ts'

/** A model behind HTTP, reached through one of the library's provider packages. */
export interface HostedOptions {
  connection: Connection
  /** Imports the provider package: only a command that asks a model pays for it. */
  load: () => Promise<Models>
  /** The cost of a turn in micro-dollars; null where nobody knows the price. */
  cost: (model: string, tokens: PricedTokens) => Promise<number | null>
  retry: RetryPolicy
}

/** One request per turn, streamed; our retry, our cancellation, the library's wire. */
export function hostedProvider({ connection, load, cost, retry }: HostedOptions): Provider {
  const { name } = connection
  let loading: Promise<Models> | undefined
  const known = new Map<string, LanguageModelV4>()

  async function askOnce(request: ModelRequest, signal: AbortSignal, onText?: (delta: string) => void): Promise<WholeReply> {
    loading ??= load()
    const models = await loading
    const model = known.get(request.model) ?? models.named(request.model)
    known.set(request.model, model)
    try {
      const { stream } = await model.doStream({
        ...callOptions(request, connection),
        providerOptions: models.options(request.model),
        abortSignal: signal,
      })
      const read = await readReply(stream, { provider: name, model: request.model, signal, freshId: freshIds(request), onText })
      if ('broken' in read) throw read.broken
      return read
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

function callOptions(request: ModelRequest, { name, kind }: Connection): LanguageModelV4CallOptions {
  const prompt = promptFrom(request, name)
  const tools = toolsFrom(request.tools)
  return {
    ...(kind === 'anthropic' ? markForCache(prompt, tools) : { prompt, tools }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.max_output_tokens === undefined ? {} : { maxOutputTokens: request.max_output_tokens }),
  }
}

/** Some servers number their calls anew in every reply; an approval or an answer must never be taken for another call's. */
function freshIds(request: ModelRequest): (id: string) => string {
  const seen = new Set<string>()
  for (const entry of request.entries) if (entry.from === 'assistant') for (const call of entry.calls) seen.add(call.id)
  return (id) => {
    let fresh = id
    for (let again = 2; seen.has(fresh); again++) fresh = `${id}_${again}`
    seen.add(fresh)
    return fresh
  }
}

import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { markForCache } from './cache-marks.ts'
import { contextWindow } from './context-window.ts'
import type { Windows } from './context-window.ts'
import type { PricedTokens } from './cost.ts'
import type { ModelRequest, Provider } from './provider.ts'
import { promptFrom, toolsFrom } from './prompt.ts'
import { readReply } from './read-reply.ts'
import type { WholeReply } from './read-reply.ts'
import { withRetry } from './retry.ts'
import type { RetryPolicy } from './retry.ts'
import type { Asked } from './failure.ts'

/** A model behind HTTP, reached through one of the library's provider packages. */
export interface HostedOptions {
  name: string
  base_url: string
  key_variable: string | null
  /** Imports the provider package: only a command that asks a model pays for it. */
  load(): Promise<(model: string) => LanguageModelV4>
  /** The cost of a turn in micro-dollars; null where nobody knows the price. */
  cost(model: string, tokens: PricedTokens): Promise<number | null>
  retry: RetryPolicy
  windows: Windows
  /** `marked`: the provider caches up to the marks we set. `automatic`: it finds repeated beginnings by itself. */
  caching: 'marked' | 'automatic'
}

/** One request per turn, streamed; our retry, our cancellation, the library's wire. */
export function hostedProvider(options: HostedOptions): Provider {
  let loading: Promise<(model: string) => LanguageModelV4> | undefined
  const models = new Map<string, LanguageModelV4>()

  async function modelNamed(name: string): Promise<LanguageModelV4> {
    const known = models.get(name)
    if (known !== undefined) return known
    loading ??= options.load()
    const model = (await loading)(name)
    models.set(name, model)
    return model
  }

  async function askOnce(request: ModelRequest, signal: AbortSignal, onText?: (delta: string) => void): Promise<WholeReply> {
    const asked: Asked = { provider: options.name, model: request.model, base_url: options.base_url, key_variable: options.key_variable }
    const model = await modelNamed(request.model)
    try {
      const { stream } = await model.doStream(callOptions(request, signal, options))
      const read = await readReply(stream, { provider: options.name, model: request.model, freshId: freshIds(request), onText })
      if ('broken' in read) throw read.broken
      return read
    } catch (error) {
      const { asProviderProblem } = await import('./failure.ts')
      throw asProviderProblem(error, asked, new Date())
    }
  }

  return {
    name: options.name,
    contextWindow: (model) => contextWindow(model, options.windows),
    async ask(request, signal, onText, onRetry) {
      const { reply, tokens } = await withRetry(options.retry, signal, () => askOnce(request, signal, onText), onRetry)
      return { ...reply, usage: { ...reply.usage, cost_microusd: await options.cost(request.model, tokens) } }
    },
  }
}

function callOptions(request: ModelRequest, signal: AbortSignal, options: HostedOptions): LanguageModelV4CallOptions {
  const prompt = promptFrom(request, options.name)
  const tools = toolsFrom(request.tools)
  return {
    ...(options.caching === 'marked' ? markForCache(prompt, tools) : { prompt, tools }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.max_output_tokens === undefined ? {} : { maxOutputTokens: request.max_output_tokens }),
    abortSignal: signal,
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

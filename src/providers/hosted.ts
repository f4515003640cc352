import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Usage } from '../domain/entry.ts'
import { Problem } from '../domain/problem.ts'
import type { ProviderConnection } from './connect.ts'
import type { PricedTokens } from './cost.ts'
import { addTokens, estimateTokens, noTokens } from './estimate.ts'
import type { LearnedModel } from './local-model.ts'
import type { ModelReply, ModelRequest, ModelWatch, Provider } from './provider.ts'
import { promptFrom, toolsFrom } from './prompt.ts'
import { replyReader, type WholeReply } from './wire/read-reply.ts'
import { takenBy } from './takes.ts'
import { withRetry, type RetryPolicy } from './retry.ts'
import type { Wire, WireCall } from './wire/wire.ts'

/** A model behind HTTP. */
export interface HostedOptions {
  connection: ProviderConnection
  /** Imports the wire: only a command that asks a model pays for it. */
  load: () => Promise<Wire>
  /** The cost of a turn in micro-dollars; null where nobody knows the price. */
  cost: (model: string, tokens: PricedTokens) => Promise<number | null>
  retry: RetryPolicy
}

/** One request per turn, streamed; our retry, our cancellation, over whatever wire the provider speaks. */
export function hostedProvider({ connection, load, cost, retry }: HostedOptions): Provider {
  const { name, kind } = connection
  const priced = pricing(cost)
  let loading: Promise<Wire> | undefined
  const known = learned(connection)

  async function askOnce(request: ModelRequest, signal: AbortSignal, watch: ModelWatch): Promise<WholeReply> {
    loading ??= load()
    const ask = await loading
    const reader = replyReader({ provider: name, model: request.model, signal, onText: watch.onText, onThought: watch.onThought })
    const silence = noticeSilence(connection, watch)
    const take = (part: LanguageModelV4StreamPart) => {
      silence.heard()
      if (part.type === 'stream-start') for (const reason of ignoredIn(part)) watch.onIgnored?.(reason)
      reader.take(part)
    }
    try {
      await ask(callOf(request, connection, signal), take)
      return reader.whole()
    } catch (error) {
      const { asProviderProblem } = await import('./failure.ts')
      throw asProviderProblem(error, connection, request.model, new Date())
    } finally {
      silence.end()
    }
  }

  return {
    name,
    ...known.facts,
    estimate: (request, heard) => priced(request.model, { tokens: estimateTokens(request, heard), wasted: noTokens, estimated: true }),
    async ask(request, signal, watch = {}) {
      if (request.tools.length > 0 && known.of(request.model)?.tools === false) throw withoutTools(name, request.model)
      const spent = spending(request)
      const attempt = () =>
        spent.attempt(signal, (hear) =>
          askOnce(request, signal, { ...watch, onText: heardBy(hear, watch.onText), onThought: heardBy(hear, watch.onThought) }),
        )
      try {
        const { reply, tokens, cost: told } = await withRetry(retry, signal, attempt, watch.onRetry)
        return { ...reply, usage: await priced(request.model, spent.withReply(reply, tokens), kind === 'openrouter' ? told : null) }
      } catch (error) {
        if (error instanceof Problem && spent.wasted !== noTokens) {
          error.details['usage'] = await priced(request.model, { tokens: spent.wasted, wasted: spent.wasted, estimated: true })
        }
        throw error
      }
    },
  }
}

/** Puts a price on tokens. What OpenRouter says it charged is what is owed; list prices do not know which server it chose. */
function pricing(cost: HostedOptions['cost']) {
  return async (model: string, { tokens, wasted, estimated }: Spent, told: number | null = null): Promise<Usage> => {
    const { cache_write_tokens: _written, ...counted } = tokens
    const unpaid = told === null ? tokens : wasted
    const more = unpaid === noTokens ? 0 : await cost(model, unpaid)
    const charged = told === null ? 0 : Math.ceil(told * 1e6 - 1e-6)
    return { ...counted, cost_microusd: more === null ? null : charged + more, ...(estimated && { estimated: true }) }
  }
}

function ignoredIn({ warnings }: Extract<LanguageModelV4StreamPart, { type: 'stream-start' }>): string[] {
  return warnings.flatMap((warning) =>
    'feature' in warning && /reasoning|effort|tier/i.test(warning.feature)
      ? (warning.details ?? `${warning.feature} is not supported`)
      : [],
  )
}

/** Who waits is told so before the limit is reached. */
const TELL_AFTER_MS = 10_000

function noticeSilence({ kind, silence }: ProviderConnection, { onSilence }: ModelWatch) {
  const own_server = kind === 'openai-compatible'
  let limit_ms = silence.first_ms
  const tell = () => onSilence?.({ waited_ms: Math.min(TELL_AFTER_MS, limit_ms / 2), limit_ms, own_server })
  const timer = setTimeout(tell, Math.min(TELL_AFTER_MS, limit_ms / 2))
  return {
    heard(): void {
      limit_ms = silence.between_ms
      timer.refresh()
    },
    end: () => clearTimeout(timer),
  }
}

interface Spent {
  tokens: PricedTokens
  /** Those of them that no reply came of. */
  wasted: PricedTokens
  estimated: boolean
}

function heardBy(hear: (delta: string) => void, onText: ((delta: string) => void) | undefined): (delta: string) => void {
  return (delta) => {
    hear(delta)
    onText?.(delta)
  }
}

/** What a turn has used: an attempt that was cut off after it began counts as well, and so does a reply of which the server did not say. */
function spending(request: ModelRequest) {
  const spent = {
    wasted: noTokens,
    async attempt<T>(signal: AbortSignal, ask: (hear: (delta: string) => void) => Promise<T>): Promise<T> {
      let heard = ''
      try {
        return await ask((delta) => void (heard += delta))
      } catch (error) {
        if (heard !== '' || signal.aborted) spent.wasted = addTokens(spent.wasted, estimateTokens(request, heard))
        throw error
      }
    },
    withReply({ text, calls }: ModelReply, told: PricedTokens): Spent {
      const silent = told.input_tokens + told.output_tokens === 0
      const tokens = silent ? estimateTokens(request, text + (calls.length > 0 ? JSON.stringify(calls) : '')) : told
      return { tokens: addTokens(tokens, spent.wasted), wasted: spent.wasted, estimated: silent || spent.wasted !== noTokens }
    },
  }
  return spent
}

function callOf(request: ModelRequest, { name, kind }: ProviderConnection, abortSignal: AbortSignal): WireCall {
  const prompt = promptFrom(request, name)
  const tools = toolsFrom(request.tools)
  return {
    model: request.model,
    abortSignal,
    ...(kind === 'anthropic' ? markForCache(prompt, tools) : { prompt, tools }),
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.reasoning === undefined ? {} : { reasoning: request.reasoning }),
    ...(request.cache_key === undefined ? {} : { cacheKey: request.cache_key }),
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

/** Context sizes by model family, in tokens; the first match counts, so the special comes before the general. */
// oxfmt-ignore
const families: readonly [RegExp, number][] = [
  [/gpt-4\.1/,                        1_047_576],
  [/gpt-5/,                             400_000],
  [/gpt-4o|gpt-4-turbo|chatgpt-4o/,     128_000],
  [/gpt-oss/,                           131_072],
  [/(^|\/)o[134]/,                      200_000],
  [/claude/,                            200_000],
  [/gemini-1\.5-pro/,                 2_097_152],
  [/gemini/,                          1_048_576],
  [/grok-code-fast/,                    256_000],
  [/grok-4-fast|grok-4\.1/,           2_000_000],
  [/grok-4/,                            256_000],
  [/deepseek/,                          128_000],
  [/kimi-k2/,                           262_144],
  [/qwen3/,                             262_144],
]

/**
 * How much a model can hold; what the user configured counts before what we know, and an unknown model is null.
 * A server of the user's own may run a model with less room than its makers gave it, so nothing is known of it.
 */
function contextWindow(model: string, { kind, context_window }: Pick<ProviderConnection, 'kind' | 'context_window'>): number | null {
  if (context_window !== null) return context_window
  if (kind === 'openai-compatible') return null
  return families.find(([family]) => family.test(model.toLowerCase()))?.[1] ?? null
}

/** What servers of the user's own said of their models. One that did not say how much it holds is asked again with the next run: Ollama knows it once the model is loaded. */
function learned(connection: ProviderConnection) {
  const found = new Map<string, LearnedModel>()
  const of = (model: string) => found.get(model)
  const facts: Pick<Provider, 'contextWindow' | 'takes' | 'learn'> = {
    contextWindow: (model) => contextWindow(model, connection) ?? of(model)?.context_window ?? null,
    takes: (model) => takenBy(model, { takes: connection.takes ?? of(model)?.takes ?? null }),
    learn: async (model) => {
      if (connection.kind !== 'openai-compatible' || typeof of(model)?.context_window === 'number') return
      const { learnModel } = await import('./local-model.ts')
      found.set(model, await learnModel(connection, model))
    },
  }
  return { of, facts }
}

function withoutTools(name: string, model: string): Problem {
  return new Problem('provider_refused', `${model} cannot call tools, says ${name}, and agents work with tools; choose another model`)
}

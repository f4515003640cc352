import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider'
import type { ToolCall, Usage } from '../../domain/entry.ts'
import type { PricedTokens } from '../cost.ts'
import type { KeptPart, KeptParts } from './kept-parts.ts'
import type { ModelReply } from '../provider.ts'

type Finish = Extract<LanguageModelV4StreamPart, { type: 'finish' }>

/** A reply with the tokens its price depends on. */
export interface WholeReply {
  reply: ModelReply
  tokens: PricedTokens
  /** What the server says it cost, in dollars. */
  cost: number | null
}

export interface Reading {
  provider: string
  model: string
  signal: AbortSignal
  onText: ((delta: string) => void) | undefined
  onThought?: ((delta: string) => void) | undefined
}

/** Takes in the parts of one streamed reply, handing text on as it comes; `whole` is asked for when the last part is in. */
export function replyReader({ provider, model, signal, onText, onThought }: Reading) {
  const blocks = new Map<string, Extract<KeptPart, { text: string }>>()
  const parts: KeptPart[] = []
  const calls: ToolCall[] = []
  let finish: Finish | undefined
  let broken: { error: unknown } | undefined

  function take(part: LanguageModelV4StreamPart): void {
    signal.throwIfAborted() // what had already arrived would still be handed on
    if (broken !== undefined) return
    if (part.type === 'error') broken = { error: part.error }
    if (part.type === 'finish') finish = part
    if (part.type === 'text-start') open('text', part)
    if (part.type === 'reasoning-start') open('reasoning', part)
    if (part.type === 'text-delta') onText?.(part.delta)
    if (part.type === 'reasoning-delta' && part.delta !== '') onThought?.(part.delta)
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') add(part.id, part.delta, part.providerMetadata)
    if (part.type === 'text-end' || part.type === 'reasoning-end') add(part.id, '', part.providerMetadata)
    if (part.type === 'tool-call') {
      parts.push({ type: 'call', at: calls.length, ...optionsOf(part.providerMetadata) })
      calls.push({ id: part.toolCallId, tool: part.toolName, input: parsedOrRaw(part.input) })
    }
  }

  /** Refused where the stream broke off or told of an error before: the turn must be asked again. */
  function whole(): WholeReply {
    if (broken !== undefined) throw broken.error
    if (finish === undefined || !isWhole(finish.finishReason)) throw new Error('the stream ended before the reply was whole')
    const reply = replyFrom(parts, calls, finish, model)
    const provider_data: KeptParts = { provider, parts }
    const cost = costIn(finish.providerMetadata, provider)
    return { reply: parts.some(isPrecious) ? { ...reply, provider_data } : reply, tokens: tokensOf(finish.usage), cost }
  }

  function open(type: 'text' | 'reasoning', { id, providerMetadata }: { id: string; providerMetadata?: SharedV4ProviderMetadata }): void {
    const block = { type, text: '', ...optionsOf(providerMetadata) }
    blocks.set(id, block)
    parts.push(block)
  }

  function add(id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const block = blocks.get(id)
    if (block === undefined) return
    block.text += delta
    // Signatures come with the last delta or the end of a block, never with its beginning alone.
    if (metadata !== undefined) Object.assign(block, optionsOf(metadata))
  }

  return { take, whole }
}

function replyFrom(parts: readonly KeptPart[], calls: ToolCall[], { usage, finishReason }: Finish, model: string): ModelReply {
  const thoughts = textOf(parts, 'reasoning', '\n\n')
  return {
    text: textOf(parts, 'text', ''),
    calls,
    usage: unpriced(tokensOf(usage)),
    model,
    stop: stopOf(finishReason, calls),
    ...(thoughts !== '' && { thoughts }),
  }
}

function costIn(metadata: SharedV4ProviderMetadata | undefined, provider: string): number | null {
  const cost = metadata?.[provider]?.['cost']
  return typeof cost === 'number' && cost >= 0 ? cost : null
}

function textOf(parts: readonly KeptPart[], type: 'text' | 'reasoning', between: string): string {
  return parts
    .map((part) => (part.type === type ? part.text : ''))
    .filter((text) => text !== '')
    .join(between)
}

function unpriced({ cache_write_tokens: _written, ...tokens }: PricedTokens): Usage {
  return { ...tokens, cost_microusd: null }
}

/** Nothing is worth keeping of a reply that text and calls can rebuild. */
function isPrecious(part: KeptPart): boolean {
  return part.type === 'reasoning' || part.options !== undefined
}

/** Options are plain JSON; a round trip makes sure of it before they are stored. */
function optionsOf(metadata: SharedV4ProviderMetadata | undefined): Pick<KeptPart, 'options'> {
  if (metadata === undefined) return {}
  return { options: JSON.parse(JSON.stringify(metadata)) }
}

/** What a model wrote as arguments; no JSON goes on as text, and the gate answers it. */
function parsedOrRaw(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

function isWhole({ unified }: LanguageModelV4FinishReason): boolean {
  return unified !== 'error' && unified !== 'interrupted'
}

function stopOf({ unified }: LanguageModelV4FinishReason, calls: readonly ToolCall[]): ModelReply['stop'] {
  if (unified === 'length') return 'length'
  if (unified === 'content-filter') return 'filtered'
  return calls.length > 0 ? 'calls' : 'end'
}

function tokensOf({ inputTokens, outputTokens }: LanguageModelV4Usage): PricedTokens {
  return {
    input_tokens: inputTokens.total ?? 0,
    cached_input_tokens: inputTokens.cacheRead ?? 0,
    cache_write_tokens: inputTokens.cacheWrite ?? 0,
    output_tokens: outputTokens.total ?? 0,
  }
}

import type { JSONValue, LanguageModelV4FinishReason, LanguageModelV4StreamPart, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { countValue, objectFields, listItems, textValue, type Fields } from './json-fields.ts'

interface Call {
  id: string
  name: string
  input: string
  signature: string
}

/** Turns the events of a chat stream into parts of a reply. Fields of a kind we do not expect count as missing. */
export function chatReader(provider: string, take: (part: LanguageModelV4StreamPart) => void) {
  const begun = new Set<string>()
  const calls = callGatherer()
  const details: Record<string, unknown>[] = []
  let usage: Fields = {}
  let finish: LanguageModelV4FinishReason['unified'] | null = null
  let refused = false

  function read(data: string): void {
    if (data === '[DONE]') return
    const event = objectFields(JSON.parse(data))
    if (event['error']) return take({ type: 'error', error: event['error'] })
    if (event['usage']) usage = objectFields(event['usage'])
    const choice = objectFields(listItems(event['choices'])[0])
    const delta = objectFields(choice['delta'])
    for (const detail of listItems(delta['reasoning_details'])) addDetail(details, objectFields(detail))
    say('reasoning', textValue(delta['reasoning_content']) || textValue(delta['reasoning']))
    for (const [type, text] of contentOf(delta['content'])) say(type, text)
    const refusal = textValue(delta['refusal'])
    refused ||= refusal !== ''
    say('text', refusal)
    for (const part of listItems(delta['tool_calls'])) {
      calls.add(objectFields(part))
      take({ type: 'tool-input-delta', id: 'call', delta: '' }) // long arguments are no silence
    }
    if (typeof choice['finish_reason'] === 'string') finish = finishes[choice['finish_reason']] ?? 'other'
  }

  function say(type: 'text' | 'reasoning', delta: string): void {
    if (delta === '') return
    if (!begun.has(type)) take({ type: `${type}-start`, id: type })
    begun.add(type)
    take({ type: `${type}-delta`, id: type, delta })
  }

  function end(): void {
    for (const part of thoughtEnd(provider, details, begun.has('reasoning'))) take(part)
    for (const [at, { id, name, input, signature }] of calls.gathered.entries()) {
      const more = signature === '' ? {} : { providerMetadata: { [provider]: { thoughtSignature: signature } } }
      take({ type: 'tool-call', toolCallId: id || `call_${at + 1}`, toolName: name, input, ...more })
    }
    if (finish === null) return
    const unified = finish === 'stop' && refused ? 'content-filter' : finish
    take({ type: 'finish', finishReason: { unified, raw: finish }, usage: usageOf(usage), ...costOf(provider, usage) })
  }

  return { read, end }
}

/** What a provider wants back with a thought comes after its words, or without any. */
function thoughtEnd(provider: string, details: readonly object[], begun: boolean): LanguageModelV4StreamPart[] {
  if (details.length === 0) return []
  const id = 'reasoning'
  const end = { type: 'reasoning-end' as const, id, providerMetadata: { [provider]: { reasoningDetails: asJson(details) } } }
  return begun ? [end] : [{ type: 'reasoning-start', id }, end]
}

/** Pieces of one thought come one after the other; what is sealed or signed must go back as it came. */
function addDetail(details: Record<string, unknown>[], piece: Fields): void {
  const last = details.at(-1)
  const goesOn = last !== undefined && last['type'] === piece['type'] && last['index'] === piece['index'] && piece['data'] === undefined
  if (!goesOn) return void details.push({ ...piece })
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue
    last[name] = name === 'text' || name === 'summary' ? textValue(last[name]) + textValue(value) : value
  }
}

/** What came as JSON is JSON. */
function asJson(value: unknown): JSONValue {
  return JSON.parse(JSON.stringify(value)) as JSONValue // of what was parsed from JSON
}

/** What a server says a reply cost, in dollars; what the user's own key was charged elsewhere counts as well. */
function costOf(provider: string, usage: Fields): { providerMetadata?: SharedV4ProviderMetadata } {
  const { cost, is_byok, cost_details } = usage
  if (typeof cost !== 'number') return {}
  const { upstream_inference_cost: upstream } = objectFields(cost_details)
  return { providerMetadata: { [provider]: { cost: cost + (is_byok === true && typeof upstream === 'number' ? upstream : 0) } } }
}

/** Puts the pieces of calls together. */
function callGatherer() {
  const gathered: Call[] = []
  const places = new Map<number, Call>()

  /** Some servers give every call the same place and tell them apart by their ids alone. */
  function add(part: Fields): void {
    const place = typeof part['index'] === 'number' ? part['index'] : 0
    const id = textValue(part['id'])
    const before = places.get(place)
    const goesOn = before !== undefined && (id === '' || before.id === '' || id === before.id)
    const call = goesOn ? before : { id: '', name: '', input: '', signature: '' }
    if (!goesOn) gathered.push(call)
    places.set(place, call)
    const called = objectFields(part['function'])
    call.id ||= id
    call.name ||= textValue(called['name'])
    call.input += textValue(called['arguments'])
    call.signature ||= textValue(objectFields(objectFields(part['extra_content'])['google'])['thought_signature'])
  }

  return { gathered, add }
}

const finishes: Record<string, LanguageModelV4FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
}

/** Content is text, or a list of parts of which some are thoughts. */
function contentOf(content: unknown): ['text' | 'reasoning', string][] {
  if (typeof content === 'string') return [['text', content]]
  return listItems(content).map((part) => {
    const { type, text, thinking } = objectFields(part)
    if (type !== 'thinking') return ['text', textValue(text)]
    return [
      'reasoning',
      listItems(thinking)
        .map((thought) => textValue(objectFields(thought)['text']))
        .join(''),
    ]
  })
}

function usageOf(usage: Fields) {
  const input = countValue(usage['prompt_tokens'])
  const cached = countValue(objectFields(usage['prompt_tokens_details'])['cached_tokens'])
  return {
    inputTokens: { total: input, noCache: input - cached, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: countValue(usage['completion_tokens']), text: undefined, reasoning: undefined },
  }
}

import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import type { Reasoning } from '../../domain/reasoning.ts'
import { remember } from '../../domain/remember.ts'
import type { ProviderConnection } from '../connect.ts'
import type { WireCall } from './wire.ts'

type Kind = ProviderConnection['kind']
type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>
type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>
type FilePart = Extract<UserMessage['content'][number], { type: 'file' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type ToolPart = ToolMessage['content'][number]

/** What was written once is sent again with every turn. */
const written = new WeakMap<object, string>()

/** The body of a chat request, as text. */
export function chatBody(
  call: WireCall,
  { name: provider, kind, service_tier }: ProviderConnection,
): { body: string; ignored: string | null } {
  const { model, prompt, tools, temperature, reasoning, cacheKey } = call
  const ignored = reasoning === undefined ? null : whyNoEffort(model, kind)
  const head = {
    model,
    temperature,
    stream: true,
    // Mistral refuses the option with 422, and tells the usage unasked.
    ...(kind !== 'mistral' && { stream_options: { include_usage: true } }),
    // Anthropic models cache only what is marked; OpenRouter sets the marks itself when asked to.
    ...(kind === 'openrouter' && model.startsWith('anthropic/') && { cache_control: { type: 'ephemeral' } }),
    ...(kind === 'openai' && cacheKey !== undefined && { prompt_cache_key: cacheKey }),
    ...(service_tier !== null && { service_tier }),
    ...(kind === 'openrouter' && { usage: { include: true } }),
    ...(reasoning !== undefined && ignored === null && (byKind[kind]?.(reasoning) ?? { reasoning_effort: reasoning })),
  }
  const messages = prompt.flatMap((message) => messageTexts(message, provider)).join(',')
  const offered = tools.length === 0 ? '' : `,"tools":[${tools.map(toolText).join(',')}]`
  return { body: `${JSON.stringify(head).slice(0, -1)},"messages":[${messages}]${offered}}`, ignored }
}

/** Why a model is not told how long to think; null where it can be. */
function whyNoEffort(model: string, kind: Kind): string | null {
  if (kind === 'xai' && !/grok-3-mini|grok-4\.[3-9](?!\d)|grok-[5-9]|grok-latest/.test(model)) return `${model} takes no effort`
  return kind === 'openai' && /^(gpt-[34]|chatgpt-)/.test(model) ? `${model} does not think before it answers` : null
}

/** How a server is told how long to think, where that is not as OpenAI has it. */
const byKind: Partial<Record<Kind, (effort: Reasoning) => object>> = {
  openrouter: (effort) => ({ reasoning: { effort } }),
  deepseek: (effort) => ({ ...thinking(effort), ...(effort !== 'none' && { reasoning_effort: effort }) }),
  moonshot: thinking,
  qwen: (effort) => ({ enable_thinking: effort !== 'none' }),
  mistral: (effort) => ({ reasoning_effort: effort === 'none' ? 'none' : 'high' }),
}

function thinking(effort: Reasoning): object {
  return { thinking: { type: effort === 'none' ? 'disabled' : 'enabled' } }
}

function messageTexts(message: LanguageModelV4Message, provider: string): string[] {
  if (message.role === 'tool') return message.content.map(answerText)
  if (message.role === 'assistant') return [textOnce(message, () => assistantMessage(message, provider))]
  const content = () => (message.role === 'system' ? message.content : userContent(message.content))
  return [textOnce(message, () => ({ role: message.role, content: content() }))]
}

/** Plain text where it is only that: not every server reads a list. */
function userContent(content: UserMessage['content']): unknown {
  if (content.every((part) => part.type === 'text')) return joined(content, 'text')
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : filePart(part)))
}

function filePart({ mediaType, filename, data }: FilePart): object {
  const url = `data:${mediaType};base64,${data.type === 'data' ? String(data.data) : ''}`
  if (mediaType === 'application/pdf') return { type: 'file', file: { filename, file_data: url } }
  return { type: 'image_url', image_url: { url } }
}

/** Reasoning goes back to the server that wrote it: some refuse a thread in which it is missing. */
function assistantMessage({ content }: AssistantMessage, provider: string): object {
  const text = joined(content, 'text')
  const reasoning = joined(content, 'reasoning')
  const details = content.find((part) => part.type === 'reasoning')?.providerOptions?.[provider]?.['reasoningDetails']
  const calls = content.filter((part) => part.type === 'tool-call').map((part) => callOf(part, provider))
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(details !== undefined ? { reasoning_details: details } : reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function callOf({ toolCallId, toolName, input, providerOptions }: CallPart, provider: string): object {
  const signature = providerOptions?.[provider]?.['thoughtSignature']
  return {
    id: toolCallId,
    type: 'function',
    function: { name: toolName, arguments: JSON.stringify(input) },
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  }
}

function answerText(part: ToolPart): string {
  return textOnce(part, () => {
    if (part.type !== 'tool-result') return {}
    const content = 'value' in part.output ? part.output.value : ''
    return { role: 'tool', tool_call_id: part.toolCallId, content }
  })
}

function toolText(tool: LanguageModelV4FunctionTool): string {
  return textOnce(tool, () => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
  }))
}

function joined(content: readonly { type: string }[], type: 'text' | 'reasoning'): string {
  return content.map((part) => (part.type === type && 'text' in part ? part.text : '')).join('')
}

function textOnce(key: object, make: () => object): string {
  return remember(written, key, () => JSON.stringify(make()))
}

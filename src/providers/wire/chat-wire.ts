import type { IncomingMessage } from 'node:http'
import { createParser } from 'eventsource-parser'
import { chatReader } from './chat-reader.ts'
import type { ProviderConnection } from '../connect.ts'
import type { FailedAnswer } from '../failure.ts'
import { sendRequest } from './http-request.ts'
import { objectFields, textValue } from './json-fields.ts'
import type { Wire, WireCall } from './wire.ts'
import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { remember } from '../../domain/remember.ts'

/** No error message is longer; a web page in its place is not read to its end. */
const ERROR_CHARS = 20_000

/** OpenAI's chat completions as nearly every server speaks them, with nothing between the socket and the reply. */
export function chatWire({ name, kind, base_url, key, silence }: ProviderConnection): Wire {
  const url = new URL(`${base_url}/chat/completions`)
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'troupe',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  return async (call, take) => {
    const body = chatBody(call, name, kind)
    const answer = await sendRequest(url, { method: 'POST', headers, body, signal: call.abortSignal, silence })
    const status = answer.statusCode ?? 502
    if (status >= 300) throw await failedAnswer(answer, status)
    const reader = chatReader(name, take)
    const events = createParser({ onEvent: ({ data }) => reader.read(data) })
    await readText(answer, (text) => events.feed(text))
    reader.end()
  }
}

/** Hands on the text of an answer as it comes. Whoever refuses a piece of it gets no more, and the connection is closed. */
function readText(answer: IncomingMessage, onText: (text: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      try {
        onText(text)
      } catch (error) {
        reject(error)
        answer.destroy()
      }
    })
    answer.on('end', resolve)
    answer.on('error', reject)
  })
}

async function failedAnswer(answer: IncomingMessage, status: number): Promise<FailedAnswer> {
  let body = ''
  await readText(answer, (text) => {
    body += text
    if (body.length > ERROR_CHARS) throw new Error('too long')
  }).catch(() => undefined) // what came of the message is all there is to tell
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
  return { status, message: messageIn(body), body, headers }
}

/** Servers agree on `error.message` as little as people do. */
function messageIn(body: string): string {
  try {
    const { error, message, detail } = objectFields(JSON.parse(body))
    return [objectFields(error)['message'], error, message, detail].map(textValue).find((said) => said !== '') ?? body
  } catch {
    return body
  }
}

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type AssistantPart = AssistantMessage['content'][number]
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type ToolPart = ToolMessage['content'][number]

/** What was written once is sent again with every turn. */
const written = new WeakMap<object, string>()

/** The body of a chat request, as text. */
function chatBody(call: WireCall, provider: string, kind: ProviderConnection['kind']): string {
  const { model, prompt, tools, temperature } = call
  const head = {
    model,
    temperature,
    stream: true,
    // Mistral refuses the option with 422, and tells the usage unasked.
    ...(kind !== 'mistral' && { stream_options: { include_usage: true } }),
    // Anthropic models cache only what is marked; OpenRouter sets the marks itself when asked to.
    ...(kind === 'openrouter' && model.startsWith('anthropic/') && { cache_control: { type: 'ephemeral' } }),
  }
  const messages = prompt.flatMap((message) => messageTexts(message, provider)).join(',')
  const offered = tools.length === 0 ? '' : `,"tools":[${tools.map(toolText).join(',')}]`
  return `${JSON.stringify(head).slice(0, -1)},"messages":[${messages}]${offered}}`
}

function messageTexts(message: LanguageModelV4Message, provider: string): string[] {
  if (message.role === 'tool') return message.content.map(answerText)
  if (message.role === 'assistant') return [textOnce(message, () => assistantMessage(message, provider))]
  const content = () => (message.role === 'system' ? message.content : joined(message.content, 'text'))
  return [textOnce(message, () => ({ role: message.role, content: content() }))]
}

/** Reasoning goes back to the server that wrote it: some refuse a thread in which it is missing. */
function assistantMessage({ content }: AssistantMessage, provider: string): object {
  const text = joined(content, 'text')
  const reasoning = joined(content, 'reasoning')
  const calls = content.filter((part) => part.type === 'tool-call').map((part) => callOf(part, provider))
  return {
    role: 'assistant',
    content: calls.length > 0 ? text || null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
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

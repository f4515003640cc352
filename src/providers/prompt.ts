import type { LanguageModelV4FunctionTool, LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { AttachedFile } from '../domain/attachment.ts'
import type { AssistantEntry, Entry, ToolCall, ToolEntry } from '../domain/entry.ts'
import { remember } from '../domain/remember.ts'
import { callPart, keptParts } from './wire/kept-parts.ts'
import type { ModelRequest, ToolSpec } from './provider.ts'

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>

/** A thread is sent again with every turn; converting each entry once keeps turn 500 as cheap as turn 1. */
const said = new WeakMap<Entry, LanguageModelV4Message>()
const replied = new WeakMap<Entry, Map<string, AssistantMessage>>()
const answered = new WeakMap<Entry, ToolResult>()
const specified = new WeakMap<ToolSpec, LanguageModelV4FunctionTool>()

/** A thread in the library's form: every call is followed by its answer, whatever happened to it. */
export function promptFrom(request: Pick<ModelRequest, 'system' | 'entries' | 'files'>, provider: string): LanguageModelV4Prompt {
  const { entries, files } = request
  const prompt: LanguageModelV4Prompt = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  for (let at = 0; at < entries.length;) {
    const entry = entries[at]
    const end = nextTurn(entries, at + 1)
    if (entry?.from === 'assistant') pushTurn(prompt, entry, entries.slice(at + 1, end), provider, files)
    else for (const before of entries.slice(at, end)) prompt.push(userMessage(before, files))
    at = end
  }
  return prompt
}

/** The tools in the library's form. */
export function toolsFrom(tools: readonly ToolSpec[]): LanguageModelV4FunctionTool[] {
  return tools.map((tool) => remember(specified, tool, () => asFunctionTool(tool)))
}

function nextTurn(entries: readonly Entry[], from: number): number {
  let at = from
  while (at < entries.length && entries[at]?.from !== 'assistant') at += 1
  return at
}

/** One reply, the answers to its calls in the order of the calls, then whatever else was said before the next reply. */
function pushTurn(
  prompt: LanguageModelV4Prompt,
  entry: AssistantEntry,
  after: readonly Entry[],
  provider: string,
  files: ModelRequest['files'],
): void {
  const message = assistantMessage(entry, provider)
  if (message.content.length > 0) prompt.push(message)
  const answers = new Map<string, ToolEntry>()
  for (const other of after) if (other.from === 'tool') answers.set(other.call_id, other)
  if (entry.calls.length > 0) prompt.push({ role: 'tool', content: entry.calls.map((call) => resultOf(call, answers.get(call.id))) })
  for (const answer of answers.values()) if (answer.attachments !== undefined) prompt.push(shown(answer, answer.attachments, files))
  const called = new Set(entry.calls.map((call) => call.id))
  for (const other of after) if (other.from !== 'tool' || !called.has(other.call_id)) prompt.push(userMessage(other, files))
}

function assistantMessage(entry: AssistantEntry, provider: string): AssistantMessage {
  const forms = remember(replied, entry, () => new Map<string, AssistantMessage>())
  return remember(forms, provider, () => ({ role: 'assistant', content: keptParts(entry, provider) ?? plainParts(entry) }))
}

function plainParts(entry: AssistantEntry): AssistantMessage['content'] {
  const text = entry.text === '' ? [] : [{ type: 'text' as const, text: entry.text }]
  return [...text, ...entry.calls.map(callPart)]
}

function resultOf(call: ToolCall, entry: ToolEntry | undefined): ToolResult {
  if (entry === undefined)
    return asResult(call, 'error-text', 'Interrupted: no answer of this call was recorded. It may or may not have happened.')
  if (entry.outcome === 'running') return asResult(call, 'error-text', 'Interrupted: the call had started and no end of it was recorded.')
  if (entry.outcome === 'waiting') return asResult(call, 'text', entry.output || 'This call waits for a person.')
  const type = entry.outcome === 'ok' ? 'text' : 'error-text'
  return remember(answered, entry, () => asResult(call, type, entry.output || '(no output)'))
}

function asResult(call: ToolCall, type: 'text' | 'error-text', value: string): ToolResult {
  return { type: 'tool-result', toolCallId: call.id, toolName: call.tool, output: { type, value } }
}

function userMessage(entry: Entry, files: ModelRequest['files']): LanguageModelV4Message {
  if (entry.from === 'user' && entry.attachments !== undefined) return shown(entry, entry.attachments, files)
  return remember(said, entry, () => ({ role: 'user', content: [{ type: 'text', text: userText(entry) }] }))
}

/** Files before the words about them. One that is not at hand, because the model takes none of its kind, is named in its place. */
function shown(entry: Entry, attachments: readonly AttachedFile[], files: ModelRequest['files']): LanguageModelV4Message {
  const parts = attachments.map(({ name, media_type, hash }): UserMessage['content'][number] => {
    const data = files?.get(hash)
    if (data === undefined)
      return {
        type: 'text',
        text: `[from the runtime, not the user: ${name} was ${entry.from === 'tool' ? 'shown' : 'attached'} here; you cannot be shown it]`,
      }
    return { type: 'file', mediaType: media_type, filename: name, data: { type: 'data', data } }
  })
  const text = entry.from === 'tool' ? `[from the runtime, not the user: shown by ${entry.tool}]` : userText(entry)
  return { role: 'user', content: [...parts, { type: 'text', text }] }
}

/** What did not come from the user says so: a model must not take the runtime's words for a wish. */
function userText(entry: Entry): string {
  if (entry.from === 'user') return entry.text
  if (entry.from === 'note') return `[from the runtime, not the user: ${entry.type}]\n${entry.text}`
  if (entry.from === 'tool') return `[from the runtime, not the user: late answer of ${entry.tool}, ${entry.outcome}]\n${entry.output}`
  return entry.text
}

function asFunctionTool(tool: ToolSpec): LanguageModelV4FunctionTool {
  return { type: 'function', name: tool.name, description: tool.description, inputSchema: tool.input_schema }
}

import { Entry, type ToolCall, type ToolOutcome } from '../domain/entry.ts'
import type { ModelRequest, ToolSpec } from './provider.ts'

let number = 0

function anEntry(fields: object): Entry {
  number += 1
  return Entry.parse({ id: `e${number}`, thread_id: 't1', number, at: '2026-01-01T00:00:00.000Z', ...fields })
}

/** What a person said. */
export function user(text: string): Entry {
  return anEntry({ from: 'user', text })
}

/** What a model replied. */
export function assistant(text: string, calls: ToolCall[] = [], provider_data?: unknown): Entry {
  return anEntry({ from: 'assistant', role: 'actor', model: 'm', type: 'text', text, calls, usage: {}, took_ms: 1, provider_data })
}

/** What a tool answered. */
export function tool(call: ToolCall, output: string, outcome: ToolOutcome = 'ok'): Entry {
  return anEntry({ from: 'tool', role: 'actor', call_id: call.id, tool: call.tool, outcome, output })
}

/** What happened to the thread. */
export function note(type: 'role_change' | 'error' | 'compaction' | 'answer', text: string): Entry {
  return anEntry({ from: 'note', type, text })
}

export const readFileSpec: ToolSpec = {
  name: 'read_file',
  description: 'Read one file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'], additionalProperties: false },
}

/** Nobody stops it. */
export const never = new AbortController().signal

/** A request as the loop makes it. */
export function aRequest(fields: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'm', system: 'You are the Actor.', entries: [user('Go.')], tools: [readFileSpec], ...fields }
}

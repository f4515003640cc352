import type { ChatMessage } from '../../src/domain/chat.ts'

export type ToolCall = Extract<ChatMessage, { type: 'tool_call' }>
export type ToolResult = Extract<ChatMessage, { type: 'tool_result' }>

/** What is shown on one line: a message, and the result where it is a call. */
export interface Line {
  message: ChatMessage
  result: ToolResult | null
}

/** A call and its result are one line on screen. */
export function foldedCalls(messages: readonly ChatMessage[]): Line[] {
  const results = new Map(messages.filter((message) => message.type === 'tool_result').map((message) => [message.call_id, message]))
  const called = new Set(messages.filter((message) => message.type === 'tool_call').map((message) => message.call_id))
  return messages
    .filter((message) => message.type !== 'tool_result' || !called.has(message.call_id))
    .map((message) => ({ message, result: message.type === 'tool_call' ? (results.get(message.call_id) ?? null) : null }))
}

import type { LanguageModelV4ToolCallPart } from '@ai-sdk/provider'
import type { ToolCall } from '../domain/entry.ts'
import { isRecord } from '../domain/unknown-value.ts'

/** A call as it goes back to the model. Input that was no JSON object is wrapped: providers refuse a thread that holds it bare. */
export function callPart(call: ToolCall): LanguageModelV4ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.tool,
    input: isRecord(call.input) ? call.input : { unreadable_input: call.input },
  }
}

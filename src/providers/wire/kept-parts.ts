import type { LanguageModelV4Message, LanguageModelV4ToolCallPart } from '@ai-sdk/provider'
import * as z from 'zod'
import type { AssistantEntry, ToolCall } from '../../domain/entry.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]

const Options = z.record(z.string(), z.record(z.string(), z.json())).optional()

/** What a provider wants back word for word: reasoning with its signatures, in the order it came. A call is named by its place, not repeated. */
export type KeptParts = z.infer<typeof KeptParts>
export const KeptParts = z.object({
  provider: z.string(),
  parts: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('reasoning'), text: z.string(), options: Options }),
      z.object({ type: z.literal('text'), text: z.string(), options: Options }),
      z.object({ type: z.literal('call'), at: z.int().nonnegative(), options: Options }),
    ]),
  ),
})

export type KeptPart = KeptParts['parts'][number]

/** A reply as its own provider left it; undefined for another provider's, whose signatures nobody else can read. */
export function keptParts(entry: AssistantEntry, provider: string): AssistantPart[] | undefined {
  if (entry.provider_data === undefined) return undefined
  const kept = KeptParts.safeParse(entry.provider_data)
  if (!kept.success || kept.data.provider !== provider) return undefined
  return kept.data.parts.flatMap((part) => asPart(part, entry))
}

function asPart(part: KeptPart, entry: AssistantEntry): AssistantPart[] {
  const more = part.options === undefined ? {} : { providerOptions: part.options }
  if (part.type !== 'call') return [{ type: part.type, text: part.text, ...more }]
  const call = entry.calls[part.at]
  return call === undefined ? [] : [{ ...callPart(call), ...more }]
}

/** A call as it goes back to the model. Input that was no JSON object is wrapped: providers refuse a thread that holds it bare. */
export function callPart(call: ToolCall): LanguageModelV4ToolCallPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.tool,
    input: isRecord(call.input) ? call.input : { unreadable_input: call.input },
  }
}

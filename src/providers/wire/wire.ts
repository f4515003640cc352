import type { Reasoning } from '../../domain/reasoning.ts'
import type { LanguageModelV4FunctionTool, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** One request to a model, in the library's form. */
export interface WireCall {
  model: string
  prompt: LanguageModelV4Prompt
  tools: LanguageModelV4FunctionTool[]
  temperature?: number
  reasoning?: Reasoning
  cacheKey?: string
  abortSignal: AbortSignal
}

/** A way to speak to a model: sends the request, hands on the parts of the reply as they come, and settles after the last. */
export type Wire = (call: WireCall, take: (part: LanguageModelV4StreamPart) => void) => Promise<void>

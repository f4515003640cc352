import { Usage } from '../../src/domain/entry.ts'
import type { ScriptStep } from '../../src/providers/script/script.ts'

/** One way of speaking to a model over HTTP: the pieces in which a reply is streamed. */
export type ModelWire = (reply: WireReply) => string[]

export interface WireReply {
  step: ScriptStep
  /** Unique within the server, for ids. */
  number: number
  chunk_chars: number
}

/** A call as it is on the wire. */
export interface WireCall {
  id: string
  name: string
  /** As the model wrote it: text in a script is sent as it is, be it JSON or not. */
  json: string
}

/** The calls of a reply with ids and raw arguments. */
export function callsOf({ step, number }: WireReply): WireCall[] {
  return step.calls.map((call, at) => ({
    id: call.id ?? `call_${number}_${at + 1}`,
    name: call.tool,
    json: typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {}),
  }))
}

/** The text of a reply as it is streamed. */
export function chunksOf({ step, chunk_chars }: WireReply): string[] {
  return step.text.match(new RegExp(`[^]{1,${chunk_chars}}`, 'g')) ?? []
}

/** The tokens a reply claims. */
export function usageOf({ step }: WireReply): Usage {
  return Usage.parse({ input_tokens: 10, output_tokens: 5, ...step.usage })
}

/** One line of a server-sent stream. */
export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

/** One named event of a server-sent stream. */
export function event(type: string, more: object = {}): string {
  return `event: ${type}\n${data({ type, ...more })}`
}

import type { AttachmentKind } from '../domain/attachment.ts'
import type { Entry, ToolCall, Usage } from '../domain/entry.ts'
import type { QuotaWait } from '../domain/quota/quota.ts'
import type { Reasoning } from '../domain/reasoning.ts'

/** A tool as the model is told of it. */
export interface ToolSpec {
  name: string
  description: string
  input_schema: Record<string, unknown>
}

export interface ModelRequest {
  model: string
  system: string
  entries: readonly Entry[]
  tools: readonly ToolSpec[]
  temperature?: number
  reasoning?: Reasoning | undefined
  /** What requests of one thread have in common, so that a provider can send them where their beginning is cached. */
  cache_key?: string
  /** What the attachments of the entries hold, as Base64, by their hashes. */
  files?: ReadonlyMap<string, string>
}

/** One reply of a model. `provider_data` is what only that provider understands and wants back on the next turn. */
export interface ModelReply {
  text: string
  calls: ToolCall[]
  usage: Usage
  model: string
  stop: 'end' | 'calls' | 'length' | 'filtered'
  /** What it thought, as far as its provider shows it: for people, and never sent back as words. */
  thoughts?: string
  provider_data?: unknown
}

/** A turn asked again: what was streamed of it so far is void. */
export interface Retry {
  attempt: number
  wait_ms: number
  reason: string
}

/** A server that sends nothing: for how long it has, and after how long it is given up. */
export interface Silence {
  waited_ms: number
  limit_ms: number
  /** Where it may be loading a model. */
  own_server: boolean
}

/** A call that an outside agent makes by itself, in its own sandbox. */
export interface OwnCall {
  id: string
  tool: string
  input: unknown
}

/** Hears of the calls an outside agent makes by itself, and keeps them. */
export interface OwnCalls {
  begin(call: OwnCall): Promise<void>
  output(id: string, text: string): void
  end(
    id: string,
    ended: { outcome: 'ok' | 'error' | 'denied' | 'interrupted'; output: string; details: Record<string, unknown> },
  ): Promise<void>
}

/** What whoever asks a model hears before the reply is whole. */
export interface ModelWatch {
  onText?: ((delta: string) => void) | undefined
  onThought?: ((delta: string) => void) | undefined
  /** Why something that was asked for is left out. */
  onIgnored?: ((reason: string) => void) | undefined
  onRetry?: ((retry: Retry) => void) | undefined
  onSilence?: ((silence: Silence) => void) | undefined
  /** A limit is reached and waited for; null when it is over. */
  onLimit?: ((wait: QuotaWait | null) => Promise<void>) | undefined
  /** What an outside agent does by itself while it is asked. */
  own?: OwnCalls | undefined
  /** Another model answers from now on, and why. */
  onSwitch?: ((model: string, reason: string) => void) | undefined
}

/** A source of replies: a hosted model, a script, a recording. Messages of a provider's own exist only behind this. */
export interface Provider {
  readonly name: string
  /** The size of the model's context in tokens, where known. */
  contextWindow(model: string): number | null
  /** Finds out what only its server can say of a model, before a run begins with it. */
  learn?(model: string): Promise<void>
  /** What the model can be shown beside words; nothing where this is missing. */
  takes?(model: string): readonly AttachmentKind[]
  /** About what a request costs of whose answer so much was heard; for one that nobody will count. */
  estimate?(request: ModelRequest, heard: string): Promise<Usage>
  ask(request: ModelRequest, signal: AbortSignal, watch?: ModelWatch): Promise<ModelReply>
}

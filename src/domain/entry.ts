import * as z from 'zod'
import { AttachedFile } from './attachment.ts'

/** Tokens of one turn as the provider counted them; cost is null where the price is unknown. */
export type Usage = z.infer<typeof Usage>
export const Usage = z.object({
  input_tokens: z.int().nonnegative().default(0),
  cached_input_tokens: z.int().nonnegative().default(0),
  output_tokens: z.int().nonnegative().default(0),
  cost_microusd: z.int().nonnegative().nullable().default(null),
  /** Some of it is reckoned from the length of the texts: the server did not say, or the turn was cut off. */
  estimated: z.literal(true).exactOptional(),
})

/** Nothing used yet; a cost of 0 is known, `null` is not. */
export const noUsage: Usage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, cost_microusd: 0 }

/** Why a reply is not whole: it reached the limit of its length, or the provider filtered the rest. */
export const Cut = z.enum(['length', 'filtered'])

/** The same in words. */
export const cutTexts: Readonly<Record<z.infer<typeof Cut>, string>> = {
  length: 'Cut off: the model reached the limit of its answer. Ask it to continue.',
  filtered: 'Cut off: the provider filtered the rest of this answer.',
}

/** A tool call as the model wrote it; `input` is unparsed until the gate reads it. */
export type ToolCall = z.infer<typeof ToolCall>
export const ToolCall = z.object({
  id: z.string().min(1),
  tool: z.string(),
  input: z.unknown(),
})

/** How a tool call ended. `running` is written before anything that changes the world starts. */
export type ToolOutcome = z.infer<typeof ToolOutcome>
export const ToolOutcome = z.enum(['running', 'ok', 'error', 'denied', 'interrupted', 'waiting'])

const common = {
  id: z.string(),
  thread_id: z.string(),
  number: z.int().nonnegative(),
  run_id: z.string().nullable().default(null),
  at: z.iso.datetime(),
}

/** One line of a thread: what a person said, what a model replied, what a tool answered, or what happened to the thread. */
export type Entry = z.infer<typeof Entry>
export const Entry = z.discriminatedUnion('from', [
  /** `queued`: said while a run was at work, and not yet seen by its model. */
  z.object({
    ...common,
    from: z.literal('user'),
    text: z.string(),
    attachments: z.array(AttachedFile).exactOptional(),
    queued: z.literal(true).exactOptional(),
  }),
  z.object({
    ...common,
    from: z.literal('assistant'),
    role: z.string(),
    model: z.string(),
    type: z.enum(['text', 'plan', 'question']),
    text: z.string(),
    /** What it thought before: shown to people, and never sent to a model as words. */
    thoughts: z.string().exactOptional(),
    calls: z.array(ToolCall),
    usage: Usage,
    took_ms: z.number(),
    stopped: z.boolean().default(false),
    plan_id: z.string().nullable().default(null),
    question_id: z.string().nullable().default(null),
    /** Each plan or question that is in the text, and where. The two ids above name the first. */
    proposals: z
      .array(z.object({ type: z.enum(['plan', 'question']), id: z.string(), start: z.int().nonnegative(), end: z.int().nonnegative() }))
      .default([]),
    unparsed: z.string().nullable().default(null),
    cut: Cut.nullable().default(null),
    provider_data: z.unknown().optional(),
  }),
  z.object({
    ...common,
    from: z.literal('tool'),
    role: z.string(),
    call_id: z.string(),
    tool: z.string(),
    outcome: ToolOutcome,
    output: z.string(),
    details: z.record(z.string(), z.unknown()).default({}),
    /** What the call showed to the model beside its output. */
    attachments: z.array(AttachedFile).exactOptional(),
    took_ms: z.number().default(0),
  }),
  z.object({
    ...common,
    from: z.literal('note'),
    type: z.enum(['role_change', 'error', 'compaction', 'answer', 'plan', 'question', 'undo']),
    text: z.string(),
    details: z.record(z.string(), z.unknown()).default({}),
  }),
])

export type AssistantEntry = Extract<Entry, { from: 'assistant' }>
export type ToolEntry = Extract<Entry, { from: 'tool' }>

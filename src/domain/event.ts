import * as z from 'zod'
import { Cut, ToolOutcome, Usage } from './entry.ts'
import { PlanContent } from './plan.ts'
import { QuestionContent } from './question.ts'

const id = { thread_id: z.string(), run_id: z.string() }

/** What a run tells whoever watches it: one line each in `--output-format stream-json`. */
export type RunEvent = z.infer<typeof RunEvent>
export const RunEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('init'), ...id, role: z.string(), model: z.string(), workspace: z.string(), tools: z.array(z.string()) }),
  z.object({ type: z.literal('delta'), ...id, text: z.string() }),
  z.object({ type: z.literal('thought'), ...id, text: z.string() }),
  z.object({ type: z.literal('message'), ...id, role: z.string(), text: z.string(), usage: Usage, cut: Cut.exactOptional() }),
  z.object({ type: z.literal('tool_use'), ...id, call_id: z.string(), tool: z.string(), input: z.unknown() }),
  z.object({ type: z.literal('tool_output'), ...id, call_id: z.string(), text: z.string() }),
  z.object({
    type: z.literal('tool_result'),
    ...id,
    call_id: z.string(),
    tool: z.string(),
    outcome: ToolOutcome,
    output: z.string(),
    details: z.record(z.string(), z.unknown()),
  }),
  z.object({ type: z.literal('plan'), ...id, plan_id: z.string(), plan: PlanContent }),
  z.object({ type: z.literal('question'), ...id, question_id: z.string(), question: QuestionContent }),
  /** What a person should know while a model is asked: that its server is silent, that something asked for is left out, or until when it waits. */
  z.object({ type: z.literal('notice'), ...id, message: z.string(), until: z.iso.datetime().exactOptional() }),
  z.object({ type: z.literal('error'), ...id, code: z.string(), message: z.string(), retryable: z.boolean() }),
  z.object({ type: z.literal('result'), ...id, status: z.string(), text: z.string(), exit_code: z.int(), turns: z.int(), usage: Usage }),
])

/**
 * A piece of what a model is saying, or a running call is printing, at this moment.
 * It is at `from` in the whole, so that nothing is doubled or lost when a reader comes late.
 */
export interface Delta {
  thread_id: string
  run_id: string
  /** The call that prints; null for the words of the model. */
  call_id: string | null
  /** It is what the model thinks, not what it says. */
  thought?: true
  from: number
  text: string
  /** What we wait for from the model. Where this is at the beginning, the model is asked again and what it had said is void. */
  held_up?: string
}

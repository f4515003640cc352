import type { AssistantEntry, ToolCall } from '../../domain/entry.ts'
import type { ModelReply } from '../../providers/provider.ts'
import { entryHead, type RunContext } from './context.ts'

/** A reply and how long the model took for it. */
export type TimedReply = ModelReply & { took_ms: number }

/** A reply as the thread keeps it. */
export function replyEntry(context: RunContext, reply: TimedReply): AssistantEntry {
  const { text, thoughts, model, usage, took_ms, provider_data } = reply
  return {
    ...entryHead(context),
    from: 'assistant',
    role: context.run.item.agent_role,
    model,
    type: 'text',
    text,
    calls: withOwnIds(context, reply.calls),
    usage,
    took_ms,
    stopped: false,
    plan_id: null,
    question_id: null,
    proposals: [],
    unparsed: null,
    cut: cutOf(reply.stop),
    ...(thoughts !== undefined && { thoughts }),
    ...(provider_data !== undefined && { provider_data }),
  }
}

/** Why a reply is not whole, where it is not. */
export function cutOf(stop: ModelReply['stop']): AssistantEntry['cut'] {
  return stop === 'length' || stop === 'filtered' ? stop : null
}

/** Some servers number the calls of each reply from one; answers and approvals need an id that is the call's own. */
function withOwnIds(context: RunContext, calls: readonly ToolCall[]): ToolCall[] {
  return calls.map((call) => {
    let id = call.id
    for (let again = 2; context.callIds.has(id); again++) id = `${call.id}_${again}`
    context.callIds.add(id)
    return { ...call, id }
  })
}

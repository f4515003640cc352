import { callsOf, chunksOf, event, usageOf, type WireCall, type WireReply } from './wire.ts'

/** OpenAI responses. */
export function responsesWire(reply: WireReply): string[] {
  const head = { id: `resp_${reply.number}`, created_at: 1, model: 'loopback' }
  const message = { type: 'message', id: `item_${reply.number}` }
  const text =
    reply.step.text === ''
      ? []
      : [
          event('response.output_item.added', { output_index: 0, item: message }),
          ...chunksOf(reply).map((delta) =>
            event('response.output_text.delta', { item_id: message.id, output_index: 0, content_index: 0, delta }),
          ),
          event('response.output_item.done', { output_index: 0, item: message }),
        ]
  return [
    event('response.created', { response: head }),
    ...(reply.step.reasoning === undefined ? [] : thoughtEvents(reply, reply.step.reasoning)),
    ...text,
    ...callsOf(reply).flatMap(callEvents),
    event('response.completed', { response: { ...head, usage: usage(reply) } }),
  ]
}

/** A summary for people, and the sealed thought that must come back. */
function thoughtEvents({ number }: WireReply, delta: string): string[] {
  const item = { type: 'reasoning', id: `rs_${number}`, encrypted_content: null as string | null, summary: [] }
  const place = { item_id: item.id, output_index: 0, summary_index: 0 }
  return [
    event('response.output_item.added', { output_index: 0, item }),
    event('response.reasoning_summary_part.added', place),
    event('response.reasoning_summary_text.delta', { ...place, delta }),
    event('response.reasoning_summary_part.done', place),
    event('response.output_item.done', { output_index: 0, item: { ...item, encrypted_content: `sealed_${number}` } }),
  ]
}

function callEvents(call: WireCall, at: number): string[] {
  const output_index = at + 1
  return [
    event('response.output_item.added', { output_index, item: { ...itemOf(call), arguments: '' } }),
    event('response.function_call_arguments.delta', { item_id: itemOf(call).id, output_index, delta: call.json }),
    event('response.output_item.done', { output_index, item: itemOf(call) }),
  ]
}

function itemOf(call: WireCall) {
  return { type: 'function_call', id: `fc_${call.id}`, call_id: call.id, name: call.name, arguments: call.json, status: 'completed' }
}

function usage(reply: WireReply) {
  const { input_tokens, cached_input_tokens, output_tokens } = usageOf(reply)
  return {
    input_tokens,
    output_tokens,
    total_tokens: input_tokens + output_tokens,
    input_tokens_details: { cached_tokens: cached_input_tokens },
    output_tokens_details: { reasoning_tokens: 0 },
  }
}

import { callsOf, chunksOf, event, usageOf, type WireReply } from './wire.ts'

/** Anthropic messages. */
export function anthropicWire(reply: WireReply): string[] {
  const { input_tokens, cached_input_tokens, output_tokens } = usageOf(reply)
  const blocks = anthropicBlocks(reply)
  const usage = {
    input_tokens: input_tokens - cached_input_tokens,
    cache_read_input_tokens: cached_input_tokens,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  }
  return [
    event('message_start', {
      message: {
        id: `msg_${reply.number}`,
        type: 'message',
        role: 'assistant',
        model: 'loopback',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
    }),
    ...blocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', {
      delta: { stop_reason: reply.step.calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens },
    }),
    event('message_stop'),
  ]
}

function anthropicBlocks(reply: WireReply) {
  const thinking = {
    start: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      { type: 'thinking_delta', thinking: reply.step.reasoning ?? '' },
      { type: 'signature_delta', signature: `signed_${reply.number}` },
    ],
  }
  const text = { start: { type: 'text', text: '' }, deltas: chunksOf(reply).map((chunk) => ({ type: 'text_delta', text: chunk })) }
  const calls = callsOf(reply).map((call) => ({
    start: { type: 'tool_use', id: call.id, name: call.name, input: {} },
    deltas: [{ type: 'input_json_delta', partial_json: call.json }],
  }))
  return [...(reply.step.reasoning === undefined ? [] : [thinking]), ...(reply.step.text === '' ? [] : [text]), ...calls]
}

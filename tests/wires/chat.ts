import { callsOf, chunksOf, data, usageOf, type WireReply } from './wire.ts'

/** OpenAI chat completions, as every compatible server speaks them. */
export function chatWire(reply: WireReply): string[] {
  const head = { id: `chat_${reply.number}`, object: 'chat.completion.chunk', created: 1, model: 'loopback' }
  const chunk = (delta: object, finish_reason: string | null = null) => data({ ...head, choices: [{ index: 0, delta, finish_reason }] })
  const calls = callsOf(reply)
  return [
    chunk({ role: 'assistant', content: '' }),
    ...(reply.step.reasoning === undefined ? [] : [chunk({ reasoning_content: reply.step.reasoning })]),
    ...chunksOf(reply).map((content) => chunk({ content })),
    ...calls.map((call, index) =>
      chunk({ tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: call.json } }] }),
    ),
    chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    data({ ...head, choices: [], usage: chatUsage(reply) }),
    'data: [DONE]\n\n',
  ]
}

function chatUsage(reply: WireReply) {
  const { input_tokens, cached_input_tokens, output_tokens } = usageOf(reply)
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
    prompt_tokens_details: { cached_tokens: cached_input_tokens },
  }
}

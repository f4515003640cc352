import { callsOf, chunksOf, data, usageOf, type WireReply } from './wire.ts'

/** Google generateContent. */
export function googleWire(reply: WireReply): string[] {
  const chunks = chunksOf(reply).map((text) => data({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] }))
  const { reasoning } = reply.step
  const thought =
    reasoning === undefined ? [] : [data({ candidates: [{ content: { role: 'model', parts: [{ text: reasoning, thought: true }] } }] })]
  return [...thought, ...chunks, data(googleEnd(reply))]
}

function googleEnd(reply: WireReply) {
  const { input_tokens, cached_input_tokens, output_tokens } = usageOf(reply)
  const calls = callsOf(reply).map((call) => ({
    functionCall: { name: call.name, args: JSON.parse(call.json) as unknown },
    ...(reply.step.reasoning === undefined ? {} : { thoughtSignature: `signed_${reply.number}` }),
  }))
  return {
    candidates: [{ content: { role: 'model', parts: calls }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: input_tokens,
      cachedContentTokenCount: cached_input_tokens,
      candidatesTokenCount: output_tokens,
      totalTokenCount: input_tokens + output_tokens,
    },
  }
}

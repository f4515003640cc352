import { callsOf, chunksOf, data, usageOf, type ModelWire, type WireReply } from './wire.ts'

/** Google generateContent. */
export const googleWire: ModelWire = {
  stream: (reply) => [
    ...chunksOf(reply).map((text) => data({ candidates: [{ content: { role: 'model', parts: [{ text }] } }] })),
    data(googleEnd(reply)),
  ],
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

import { setTimeout as sleep } from 'node:timers/promises'
import { noUsage, Usage, type ToolCall } from '../../domain/entry.ts'
import { attachmentKinds } from '../../domain/attachment.ts'
import { Problem } from '../../domain/problem.ts'
import { estimateTokens } from '../estimate.ts'
import { playScript, type ScriptedStep } from './play.ts'
import type { ModelReply, ModelRequest, ModelWatch, Provider } from '../provider.ts'
import { withRetry, type RetryPolicy } from '../retry.ts'
import type { Script, ScriptStep, ScriptView, StepInput } from './script.ts'

export interface ScriptedOptions {
  follow?: Script['follow']
  chunk_chars?: number
}

/** A rehearsed failure is not worth waiting for. */
const quickRetry: RetryPolicy = { max_retries: 5, base_ms: 1, cap_ms: 10, patience_ms: 120_000, total_ms: 120_000 }

/** The longest time there is: until it is stopped. */
const FOREVER_MS = 2 ** 31 - 1

/** A provider that follows a script: the double of every test, and the model of the demo. */
export function scriptedProvider(replies: readonly StepInput<ModelRequest>[], options: ScriptedOptions = {}): Provider {
  const player = playScript(replies, options.follow ?? 'order')

  async function askOnce(request: ModelRequest, signal: AbortSignal, { onText, onThought }: ModelWatch): Promise<ModelReply> {
    const played = await player.next(viewOf(request), request)
    try {
      if (played.step.delay_ms > 0) await sleep(played.step.delay_ms, undefined, { signal })
      if (played.fails) await fail(played.step, signal, onText)
    } catch (error) {
      played.giveBack()
      throw error
    }
    for (const chunk of chunks(played.step.reasoning ?? '', options.chunk_chars ?? 24)) onThought?.(chunk)
    for (const chunk of chunks(played.step.text, options.chunk_chars ?? 24)) onText?.(chunk)
    return replyOf(played, request)
  }

  return {
    name: 'scripted',
    contextWindow: () => null,
    takes: () => attachmentKinds,
    async estimate(request, heard) {
      const { input_tokens, output_tokens } = estimateTokens(request, heard)
      return { ...noUsage, input_tokens, output_tokens, estimated: true }
    },
    ask: (request, signal, watch = {}) => withRetry(quickRetry, signal, () => askOnce(request, signal, watch), watch.onRetry),
  }
}

function replyOf({ step, number }: ScriptedStep, request: ModelRequest): ModelReply {
  const calls = step.calls.map((call, at): ToolCall => ({
    id: call.id ?? `call_${number + 1}_${at + 1}_${request.entries.length}`,
    tool: call.tool,
    input: call.input ?? {},
  }))
  const usage = Usage.parse(step.usage ?? {})
  const reply: ModelReply = { text: step.text, calls, usage, model: request.model, stop: calls.length > 0 ? 'calls' : step.stop }
  return step.reasoning === undefined ? reply : { ...reply, thoughts: step.reasoning, provider_data: { reasoning: step.reasoning } }
}

async function fail(
  { fail: how, text, said: words, retry_after_ms }: ScriptStep,
  signal: AbortSignal,
  onText?: (delta: string) => void,
): Promise<never> {
  if (typeof how !== 'number') onText?.(text.slice(0, Math.ceil(text.length / 2)))
  if (how === 'hang') await sleep(FOREVER_MS, undefined, { signal })
  const said = words ?? (typeof how === 'number' ? `status ${how}` : 'the stream was cut off')
  const retryable = typeof how !== 'number' || how === 429 || how >= 500
  throw new Problem(retryable ? 'provider_failed' : 'provider_refused', `scripted failed as its script says: ${said}`, {
    details: { status: how, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) },
  })
}

function* chunks(text: string, size: number): Generator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** The parts of a request a script can name. */
function viewOf(request: ModelRequest): ScriptView {
  const { entries } = request
  const lastReply = entries.findLastIndex((entry) => entry.from === 'assistant')
  const outputs = entries.slice(lastReply + 1).filter((entry) => entry.from === 'tool')
  return {
    system: request.system,
    user: entries.findLast((entry) => entry.from === 'user' || entry.from === 'note')?.text ?? '',
    tool_output: outputs.map((entry) => entry.output).join('\n'),
    tools: request.tools.map((tool) => tool.name),
    asked: entries.filter((entry) => entry.from === 'assistant' && !entry.stopped).length,
  }
}

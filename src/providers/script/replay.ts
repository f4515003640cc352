import { readFile } from 'node:fs/promises'
import * as z from 'zod'
import { Entry, type AssistantEntry } from '../../domain/entry.ts'
import { Problem } from '../../domain/problem.ts'
import type { ModelReply, ModelRequest, ModelWatch, Provider } from '../provider.ts'

/** Answers each turn with what was recorded at that turn, as long as the thread runs as it did then. */
export function replayProvider(recorded: readonly Entry[]): Provider {
  const recording = conversation(recorded)
  const turns = [...recording.keys()].filter((at) => recording[at]?.from === 'assistant')

  async function ask(request: ModelRequest, signal: AbortSignal, { onText }: ModelWatch = {}): Promise<ModelReply> {
    if (signal.aborted) throw new Problem('stopped', 'the replay was stopped')
    const asked = request.entries.filter((entry) => entry.from === 'assistant').length
    const at = turns[asked]
    const reply = at === undefined ? undefined : recording[at]
    if (at === undefined || reply?.from !== 'assistant') {
      throw new Problem('provider_refused', `the recording holds ${turns.length} replies; reply ${asked + 1} was asked for`)
    }
    refuseDifference(recording.slice(0, at), conversation(request.entries))
    if (reply.text !== '') onText?.(reply.text)
    return replyFrom(reply)
  }

  return { name: 'replay', contextWindow: () => null, ask }
}

/** Reads a recording: a JSON list of entries, `{entries}`, or one entry per line. */
export async function readRecording(file: string): Promise<Entry[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Problem('bad_input', `the recording ${file} cannot be read; name an existing file of entries`, { cause })
  })
  const parsed = z.union([z.array(Entry), z.object({ entries: z.array(Entry) })]).safeParse(jsonOrLines(text, file))
  if (!parsed.success) throw new Problem('bad_input', `the recording ${file} is not valid:\n${z.prettifyError(parsed.error)}`)
  return Array.isArray(parsed.data) ? parsed.data : parsed.data.entries
}

function jsonOrLines(text: string, file: string): unknown {
  const lines = text.trim().split('\n')
  const perLine = lines.length > 1 && lines.every((line) => line.startsWith('{') && line.endsWith('}'))
  try {
    return perLine ? lines.map((line): unknown => JSON.parse(line)) : JSON.parse(text)
  } catch (cause) {
    throw new Problem('bad_input', `the recording ${file} is not JSON: ${String(cause)}`, { cause })
  }
}

/** Without what only befell the recorded run: an error it got over, or a thread grown too long for its model. */
function conversation(entries: readonly Entry[]): Entry[] {
  return entries.filter((entry) => entry.from !== 'note' || (entry.type !== 'error' && entry.type !== 'compaction'))
}

function refuseDifference(recorded: readonly Entry[], now: readonly Entry[]): void {
  const length = Math.max(recorded.length, now.length)
  for (let at = 0; at < length; at++) {
    const [then, today] = [tell(recorded[at]), tell(now[at])]
    if (then === today) continue
    throw new Problem('provider_refused', `the thread differs from the recording at entry ${at + 1}: recorded ${then}; now ${today}`, {
      details: { entry: at + 1, recorded: recorded[at] ?? null, now: now[at] ?? null },
    })
  }
}

/** What must be the same for the recording to hold: who said or did what, never ids, times or costs. */
function tell(entry: Entry | undefined): string {
  if (entry === undefined) return 'nothing'
  if (entry.from === 'user' || (entry.from === 'note' && entry.type === 'answer')) return `user "${entry.text}"`
  if (entry.from === 'note') return `note ${entry.type} "${entry.text}"`
  if (entry.from === 'tool') return `${entry.tool} ${entry.outcome} "${entry.output}"`
  return `reply "${entry.text}" with calls ${JSON.stringify(entry.calls.map(({ tool, input }) => ({ tool, input })))}`
}

function replyFrom({ text, calls, usage, model, provider_data }: AssistantEntry): ModelReply {
  const reply: ModelReply = { text, calls, usage, model, stop: calls.length > 0 ? 'calls' : 'end' }
  return provider_data === undefined ? reply : { ...reply, provider_data }
}

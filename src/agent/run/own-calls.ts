import { noUsage, type ToolCall, type ToolEntry } from '../../domain/entry.ts'
import { withoutSecrets } from '../../domain/text/mask.ts'
import type { OwnCalls } from '../../providers/provider.ts'
import type { Stored } from '../../store/collection.ts'
import { answerEntry, emitEvent, recordEntries, type RunContext } from './context.ts'
import { replyEntry } from './reply-entry.ts'

/** Keeps the calls that an outside agent makes by itself as entries of its thread, each written before it is known how it ends. */
export function ownCalls(context: RunContext, takeText: () => string): OwnCalls {
  const begun = new Map<string, { call: ToolCall; was: Stored<ToolEntry> | undefined; since: number }>()
  const { model } = context.run.item
  const secrets = context.agent.secrets ?? []
  return {
    async begin({ id, tool, input }) {
      const text = takeText()
      const call = { id, tool, input }
      const entry = replyEntry(context, { text, calls: [call], usage: noUsage, model, stop: 'calls', took_ms: 0 })
      const stored = entry.calls[0] ?? call // under an id of its own in the thread
      await recordEntries(context, { add: entry })
      emitEvent(context, { type: 'message', role: context.run.item.agent_role, text, usage: noUsage })
      emitEvent(context, { type: 'tool_use', call_id: stored.id, tool, input })
      await recordEntries(context, { add: answerEntry(context, stored, { outcome: 'running', output: '', details: {}, took_ms: 0 }) })
      begun.set(id, { call: stored, was: context.answers.get(stored.id), since: performance.now() })
    },
    output(id, text) {
      const call = begun.get(id)?.call
      if (call !== undefined) emitEvent(context, { type: 'tool_output', call_id: call.id, text: withoutSecrets(text, secrets) })
    },
    async end(id, ended) {
      const found = begun.get(id)
      begun.delete(id)
      if (found?.was === undefined) return
      const { call, was } = found
      const answer = withoutSecrets(ended, secrets)
      const took_ms = Math.round(performance.now() - found.since)
      await recordEntries(context, { replace: { was, entry: { ...was.item, ...answer, took_ms: 0 } } })
      emitEvent(context, { type: 'tool_result', call_id: call.id, tool: call.tool, ...answer, details: { ...answer.details, took_ms } })
    },
  }
}

import { useQuery, type QueryClient } from '@tanstack/react-query'
import type { OperationOutput } from '../../src/api/operations.ts'
import { perform } from '../api.ts'

export type TracePage = OperationOutput<'run.trace'>

/** What an agent did, as far as it is read: every page so far as one. */
export type Trace = TracePage & { complete: boolean }

/** The trace of a run. Each refresh reads only what is new since the last, and what was not over then. */
export function useTrace(runId: string) {
  return useQuery({
    queryKey: ['run.trace', { run: runId, grown: true }],
    queryFn: ({ signal, client, queryKey }) => grow(client, queryKey, runId, signal),
    structuralSharing: false, // comparing ten thousand messages would cost more than drawing the few that are in sight
  })
}

const PAGE = 500

async function grow(client: QueryClient, key: readonly unknown[], run: string, signal: AbortSignal): Promise<Trace> {
  let trace = client.getQueryData<Trace>(key)
  for (let after = trace === undefined ? -1 : settledUpTo(trace); ;) {
    const page = await perform('run.trace', { run, after, limit: PAGE }, signal)
    trace = joined(trace, page, after)
    if (page.next === null) return trace
    client.setQueryData(key, trace) // a long one shows as it comes
    after = page.next
  }
}

/** The last number before which nothing will change any more: a running call gets its result in the entry it has. */
function settledUpTo({ messages }: Trace): number {
  const open = messages.find(({ type, ...rest }) => type === 'tool_result' && 'outcome' in rest && unsettled.has(rest.outcome))
  return open === undefined ? (messages.at(-1)?.number ?? -1) : open.number - 1
}

const unsettled = new Set(['running', 'waiting'])

function joined(was: Trace | undefined, page: TracePage, after: number): Trace {
  const kept = (was?.messages ?? []).filter(({ number }) => number <= after)
  const again = new Set(page.delegated.map(({ call_id }) => call_id))
  return {
    ...page,
    messages: [...kept, ...page.messages],
    shortened: [...new Set([...(was?.shortened ?? []), ...page.shortened])],
    delegated: [...(was?.delegated ?? []).filter(({ call_id }) => !again.has(call_id)), ...page.delegated],
    asked: { ...was?.asked, ...page.asked },
    complete: page.next === null,
  }
}

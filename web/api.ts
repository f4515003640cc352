import { keepPreviousData, useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OperationInput, OperationName, OperationOutput, ReadName } from '../src/api/operations.ts'
import type { NextStep } from '../src/domain/problem.ts'
import { issueMessage, type SchemaIssue } from '../src/domain/text/schema-error.ts'
import { token } from './token.ts'

/** What the server refused, with its code, so that a screen can answer `confirmation_required` or `conflict`. */
export class Refusal extends Error {
  readonly code: string
  readonly details: Record<string, unknown>
  /** What can be done about it. */
  readonly next: readonly NextStep[]

  constructor(code: string, message: string, details: Record<string, unknown> = {}, next: readonly NextStep[] = []) {
    super(message)
    this.code = code
    this.details = details
    this.next = next
  }
}

/** What a refusal says of the fields that were sent, by their names. */
export function faultsByField(error: unknown): Record<string, string> {
  const issues = error instanceof Refusal ? error.details['issues'] : null
  if (!Array.isArray(issues)) return {}
  return Object.fromEntries((issues as SchemaIssue[]).map((issue) => [issue.path.split('.').at(-1), issueMessage(issue)])) // by the server's own `readInput`
}

async function send(address: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${token() ?? ''}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Refusal('unreachable', 'Troupe is not responding. Is it still running?')
  })
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw refusalOf(answer, response.status)
  return answer
}

/** Does an operation. */
export async function perform<Name extends OperationName>(
  name: Name,
  input: OperationInput<Name>,
  signal?: AbortSignal,
): Promise<OperationOutput<Name>> {
  return (await send(`/api/${name.replace('.', '/')}`, input, signal)) as OperationOutput<Name> // the server builds it from the same declaration
}

/** An operation that changes something; everything shown is refreshed when it has. */
export function usePerform<Name extends OperationName>(name: Name) {
  const queries = useQueryClient()
  return useMutation<OperationOutput<Name>, Error, OperationInput<Name>>({
    mutationFn: (input) => perform(name, input),
    // Not waited for: with the server away the refresh hangs, and with it the reason why the change failed.
    onSettled: () => void queries.invalidateQueries(),
  })
}

/** The same where a person chooses between operations: it is told what to do, and does it. */
export function usePerformChosen() {
  const queries = useQueryClient()
  return useMutation<unknown, Error, () => Promise<unknown>>({
    mutationFn: (act) => act(),
    onSettled: () => void queries.invalidateQueries(), // not waited for, as above
  })
}

/** What an operation reads, kept and refreshed; `live.ts` marks it stale when the log says so. */
export function useRead<Name extends ReadName>(name: Name, input: OperationInput<Name>) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal) })
}

/** The same for what never changes: it is read once. */
export function useFixedRead<Name extends ReadName>(name: Name, input: OperationInput<Name>) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal), staleTime: 'static' })
}

/** The same several times over: what is there of each, in order, and nothing of one that is not read yet. */
export function useReads<Name extends ReadName>(
  name: Name,
  inputs: readonly OperationInput<Name>[],
): (OperationOutput<Name> | undefined)[] {
  return useQueries({
    queries: inputs.map((input) => ({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal) })),
    combine: dataOfEach<OperationOutput<Name>>,
  })
}

function dataOfEach<Data>(results: readonly { data: Data | undefined }[]): (Data | undefined)[] {
  return results.map(({ data }) => data)
}

/** The same for what changes by the clock alone, without a line in the log: asked again every so often. */
export function useClockedRead<Name extends ReadName>(name: Name, input: OperationInput<Name>, everyMs: number) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal), refetchInterval: everyMs })
}

/** The same for a question that a person refines: the last answer stays on screen until the next is there. */
export function useRefinedRead<Name extends ReadName>(name: Name, input: OperationInput<Name>) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal), placeholderData: keepPreviousData })
}

function refusalOf(answer: unknown, status: number): Refusal {
  const error = (answer as { error?: { code?: string; message?: string; details?: Record<string, unknown>; next?: NextStep[] } } | null)
    ?.error // every error body has this shape; anything else falls through
  return new Refusal(error?.code ?? 'unknown', error?.message ?? `The server answered ${status}.`, error?.details, error?.next)
}

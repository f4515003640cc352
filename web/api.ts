import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteReply, RouteRequest } from '../src/api/contract.ts'
import type { OperationInput, OperationName, OperationOutput, ReadName } from '../src/api/operations.ts'
import { routes, type RouteName } from '../src/api/routes.ts'
import { issueMessage, type SchemaIssue } from '../src/domain/text/schema-error.ts'
import { token } from './token.ts'

/** What the server refused, with its code, so that a screen can answer `confirmation_required` or `conflict`. */
export class Refusal extends Error {
  readonly code: string
  readonly details: Record<string, unknown>

  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What a refusal says of the fields that were sent, by their names. */
export function faultsByField(error: unknown): Record<string, string> {
  const issues = error instanceof Refusal ? error.details['issues'] : null
  if (!Array.isArray(issues)) return {}
  return Object.fromEntries((issues as SchemaIssue[]).map((issue) => [issue.path.split('.').at(-1), issueMessage(issue)])) // by the server's own `readInput`
}

/** The parts a route has; a part it does not have need not be given. */
export type Ask<Name extends RouteName> = {
  [
    Part in keyof RouteRequest<Name> as RouteRequest<Name>[Part] extends undefined
      ? never
      : keyof RouteRequest<Name>[Part] extends never
        ? never
        : Part
  ]: RouteRequest<Name>[Part]
}

interface AnyAsk {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Calls a route of the contract. */
export async function call<Name extends RouteName>(name: Name, ask: Ask<Name>, signal?: AbortSignal): Promise<RouteReply<Name>> {
  const { params = {}, query = {}, body }: AnyAsk = ask
  const [method = 'GET', path = ''] = routes[name].split(' ')
  const filled = path.replace(/:(\w+)/g, (_, param: string) => encodeURIComponent(params[param] ?? ''))
  return (await send(method, filled + queryString(query), body, signal)) as RouteReply<Name> // the server builds it from the same contract
}

async function send(method: string, address: string, body: unknown, signal?: AbortSignal): Promise<unknown> {
  const response = await fetch(address, {
    method,
    headers: { authorization: `Bearer ${token() ?? ''}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new Refusal('unreachable', 'Troupe does not answer. Is it still running?')
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
  return (await send('POST', `/api/${name.replace('.', '/')}`, input, signal)) as OperationOutput<Name> // the server builds it from the same declaration
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

/** The same for what changes by the clock alone, without a line in the log: asked again every so often. */
export function useClockedRead<Name extends ReadName>(name: Name, input: OperationInput<Name>, everyMs: number) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal), refetchInterval: everyMs })
}

/** The same for a question that a person refines: the last answer stays on screen until the next is there. */
export function useRefinedRead<Name extends ReadName>(name: Name, input: OperationInput<Name>) {
  return useQuery({ queryKey: [name, input], queryFn: ({ signal }) => perform(name, input, signal), placeholderData: keepPreviousData })
}

/** A route that changes something; everything shown is refreshed when it has. */
export function useChange<Name extends RouteName>(name: Name) {
  const queries = useQueryClient()
  return useMutation<RouteReply<Name>, Error, Ask<Name>>({
    mutationFn: (ask) => call(name, ask),
    // Not waited for: with the server away the refresh hangs, and with it the reason why the change failed.
    onSettled: () => void queries.invalidateQueries(),
  })
}

function queryString(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}

function refusalOf(answer: unknown, status: number): Refusal {
  const error = (answer as { error?: { code?: string; message?: string; details?: Record<string, unknown> } } | null)?.error // every error body has this shape; anything else falls through
  return new Refusal(error?.code ?? 'unknown', error?.message ?? `The server answered ${status}.`, error?.details)
}

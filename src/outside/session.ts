import type { CallToolResult, ElicitResult } from '@modelcontextprotocol/client'
import { messageOf, Problem } from '../domain/problem.ts'
import { connectServer, type Connection, type Elicit, type ServerPlace } from './connection.ts'
import { readReview, writeReview, type ReviewedTool } from './review-file.ts'
import type { OutsideServer } from './server.ts'

/** The servers of one run: each is started when it is first used, once for each access, and all end with the run. */
export type ServerSession = ReturnType<typeof serverSession>

/** One call of a tool, as it was reviewed. */
export interface ServerCall {
  server: OutsideServer
  tool: ReviewedTool
  input: unknown
  place: ServerPlace
  signal: AbortSignal
  onProgress?: (text: string) => void
  /** Asked where the server wants something of a person; without it the answer is no. */
  onElicit?: Elicit
}

/** One that died is started again once; a second death is not chance. */
const STARTS = 2

interface Started {
  connection: Promise<Connection>
  starts: number
  /** The calls that it is at. */
  calls: Set<ServerCall>
}

export function serverSession() {
  const started = new Map<string, Started>()
  const stopping = new AbortController()
  const open = async (call: ServerCall): Promise<Connection> => {
    const { server, place } = call
    if (stopping.signal.aborted) throw new Problem('stopped', 'the run is over, and so are its servers')
    const key = keyOf(call)
    const before = started.get(key)
    const kept = await before?.connection.catch(() => null)
    if (kept?.isOpen()) return kept
    if (started.get(key) !== before) return open(call) // another call has started it meanwhile
    const starts = before?.starts ?? 0
    if (starts >= STARTS) throw goneProblem(server, kept?.lastWords() ?? '')
    const calls = new Set<ServerCall>()
    const connection = connectServer(server, place, stopping.signal, elicitFor(calls))
    started.set(key, { connection, starts: starts + 1, calls })
    return connection
  }
  return {
    async call(call: ServerCall): Promise<CallToolResult> {
      const { tool, input, signal, onProgress } = call
      const connection = await untilAborted(call, open(call))
      await needReviewed(call, connection.tools)
      const calls = started.get(keyOf(call))?.calls
      calls?.add(call)
      try {
        return await connection.call(tool.name, input, { signal, ...(onProgress && { onProgress }) })
      } catch (error) {
        if (signal.aborted || connection.isOpen()) throw callProblem(call, error)
        throw new Problem(
          'provider_failed',
          `${call.server.name} ended during the call; it may have done a part of it. ${connection.lastWords()}`,
        )
      } finally {
        calls?.delete(call)
      }
    },
    ...keptAnswers(),
    running: () => [...started.keys()],
    /** Ends them all, and comes back when nothing of them is left. */
    async end(): Promise<void> {
      stopping.abort()
      await Promise.all([...started.values()].map(({ connection }) => connection.then((each) => each.close()).catch(() => undefined)))
    },
  }
}

/** What people answered to servers, by the call during which it was asked. */
function keptAnswers() {
  const answers = new Map<string, ElicitResult>()
  return {
    /** Keeps it for when the call is made again. */
    giveAnswer: (callId: string, answer: ElicitResult) => void answers.set(callId, answer),
    takeAnswer(callId: string): ElicitResult | undefined {
      const answer = answers.get(callId)
      answers.delete(callId)
      return answer
    },
  }
}

/** In the older protocol nothing says which call a question is about: of several none may be answered for another. */
function elicitFor(calls: ReadonlySet<ServerCall>): Elicit {
  return (form) => {
    const [call, ...others] = calls
    return others.length === 0 && call?.onElicit ? call.onElicit(form) : { action: 'decline' }
  }
}

function keyOf({ server, place }: ServerCall): string {
  return `${server.name} ${place.access}`
}

/** A call that is cancelled does not wait for a server that is still starting. */
async function untilAborted<Result>(call: ServerCall, work: Promise<Result>): Promise<Result> {
  const { signal } = call
  if (signal.aborted) throw callProblem(call, signal.reason)
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(callProblem(call, signal.reason))
  signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort))
}

/** A tool that is not what the user looked at is not called: it may have been made to say or do something else. */
async function needReviewed({ server, tool }: ServerCall, tools: readonly ReviewedTool[]): Promise<void> {
  const now = tools.find(({ name }) => name === tool.name)
  if (now?.digest === tool.digest) return
  await noteUnreviewed(server, tools)
  const what = now === undefined ? 'is gone' : 'is not what it was'
  throw new Problem(
    'conflict',
    `${tool.name} ${what} since the user reviewed ${server.name}; only the user can let it be used, by another review`,
    { next: [{ operation: 'mcp.review', input: { name: server.name } }] },
  )
}

async function noteUnreviewed({ file }: OutsideServer, tools: readonly ReviewedTool[]): Promise<void> {
  const review = readReview(file)
  if (review !== null) await writeReview(file, { ...review, unreviewed: differences(review.tools, tools).map(({ name }) => name) })
}

/** What is new, changed or gone. */
export function differences(before: readonly ReviewedTool[], now: readonly ReviewedTool[]) {
  const known = new Map(before.map((tool) => [tool.name, tool.digest]))
  const found = now.flatMap(({ name, digest }) => {
    const was = known.get(name)
    return was === digest ? [] : [{ name, what: was === undefined ? ('new' as const) : ('changed' as const) }]
  })
  const names = new Set(now.map(({ name }) => name))
  return [...found, ...before.flatMap(({ name }) => (names.has(name) ? [] : [{ name, what: 'gone' as const }]))]
}

function goneProblem({ name }: OutsideServer, words: string): Problem {
  return new Problem('provider_failed', `${name} ended twice and is not started again in this run${words === '' ? '' : `: ${words}`}`)
}

function callProblem({ server, tool, signal }: ServerCall, error: unknown): Problem {
  if (signal.aborted) return new Problem('stopped', `${tool.name} of ${server.name} was cancelled`)
  return new Problem('provider_failed', `${tool.name} of ${server.name} failed: ${messageOf(error)}`, { cause: error })
}

import { Readable, Writable } from 'node:stream'
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type InitializeResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
} from '@agentclientprotocol/sdk'
import packageJson from '../../../package.json' with { type: 'json' }
import { messageOf, Problem } from '../../domain/problem.ts'
import { openProcess, type OpenProcess } from '../../sandbox/open-process.ts'
import type { Command, SandboxState } from '../../sandbox/sandbox.ts'

/** What an agent says and asks by itself. */
export interface FromAgent {
  update: (update: SessionNotification) => void
  permission: (asked: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>
  elicit: (asked: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>
}

/** An outside agent that runs and has answered `initialize`. */
export interface AgentConnection {
  agent: ClientContext
  info: InitializeResponse
  /** Settles, with the reason, once nothing can be said to it any more. */
  gone: Promise<Problem>
  close: () => Promise<void>
}

/** The longest message that is read; one frame holds at most a file and its diff. */
const MESSAGE_BYTES = 32 * 1024 * 1024

/** For so long an agent may take to start and to answer for the first time; some load a model list first. */
const START_MS = 60_000

/** Starts an outside agent in the sandbox of a role and shakes hands with it. Its files and terminal are its own: nothing of ours is offered. */
export async function connectAgent(
  name: string,
  command: Command,
  sandbox: SandboxState,
  from: FromAgent,
  startMs = START_MS,
): Promise<AgentConnection> {
  const process = await openProcess(command, sandbox)
  const lines = ndJsonStream(Writable.toWeb(process.stdin), Readable.toWeb(process.stdout) as ReadableStream<Uint8Array>, {
    maxMessageBytes: MESSAGE_BYTES,
  }) // a pipe gives buffers
  const connection = client({ name: 'troupe' })
    .onNotification(methods.client.session.update, ({ params }) => from.update(params))
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => from.permission(params, signal))
    .onRequest(methods.client.elicitation.create, ({ params, signal }) => from.elicit(params, signal))
    .connect(lines)
  const gone = process.ended.then(
    (result) => new Problem('provider_failed', `${name} ended (${result.exit_code ?? result.ended})${lastWords(process)}`),
    (error: unknown) => new Problem('provider_failed', `${name} broke off: ${messageOf(error)}`),
  )
  const close = async () => {
    connection.close()
    await process.stop()
  }
  try {
    const info = await unlessGone(
      name,
      startMs,
      gone,
      connection.agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'troupe', title: 'Troupe', version: packageJson.version },
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false, elicitation: { form: {} } },
      }),
    )
    if (info.protocolVersion !== PROTOCOL_VERSION)
      throw new Problem(
        'provider_failed',
        `${name} speaks version ${info.protocolVersion} of the protocol; Troupe speaks ${PROTOCOL_VERSION}`,
      )
    return { agent: connection.agent, info, gone, close }
  } catch (error) {
    await close()
    throw asRefusal(name, error, process)
  }
}

/** What is waited for, unless the agent ends or takes too long. */
export async function unlessGone<T>(name: string, ms: number, gone: Promise<Problem>, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Problem('provider_failed', `${name} did not answer within ${ms / 1_000} s`)), ms)
  })
  try {
    return await Promise.race([work, late, gone.then((problem) => Promise.reject(problem))])
  } finally {
    clearTimeout(timer)
    work.catch(() => undefined)
  }
}

/** The code by which an agent says that somebody must log in to it first. */
const LOGIN_NEEDED = -32000

/** What a refused request means to the caller. */
export function asRefusal(name: string, error: unknown, process?: OpenProcess): Problem {
  if (error instanceof Problem) return error
  const said = detailOf(error)
  if (codeOf(error) === LOGIN_NEEDED)
    return new Problem('provider_refused', `${name} wants you to log in: start it once by itself, then try again (${said})`)
  return new Problem('provider_failed', `${name} failed: ${said}${process === undefined ? '' : lastWords(process)}`, { cause: error })
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

/** Agents put the words of their provider into `data`. */
function detailOf(error: unknown): string {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined
  const more = data === undefined || data === null ? '' : ` ${typeof data === 'string' ? data : JSON.stringify(data)}`
  return `${messageOf(error)}${more}`.slice(0, 2_000)
}

function lastWords(process: OpenProcess): string {
  const words = process.stderrTail().trim().split('\n').slice(-5).join('\n')
  return words === '' ? '' : `: ${words}`
}

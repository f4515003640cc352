import { realpathSync } from 'node:fs'
import type { CallToolResult, Client, ElicitRequestParams, ElicitResult, Progress, RequestOptions } from '@modelcontextprotocol/client'
import { type Bounds, canBeMounted } from '../domain/bounds.ts'
import { narrowedPolicy, networkPolicy } from '../domain/network/policy.ts'
import { messageOf, Problem } from '../domain/problem.ts'
import { isInside } from '../sandbox/files/inside.ts'
import { openProcess } from '../sandbox/open-process.ts'
import type { Command, CommandSettings, SandboxState, WorkspaceAccess } from '../sandbox/sandbox.ts'
import { offersResources, readResources, resourcesTool } from './resources.ts'
import { digestOf, type ReviewedTool } from './review-file.ts'
import { inHome, isLocal, type OutsideServer } from './server.ts'

/** Where a server runs, and what it may see and do there. */
export interface ServerPlace {
  root: string
  access: WorkspaceAccess
  bounds: Bounds
  commands: CommandSettings
  sandbox: SandboxState
}

/** A server that answers. */
export interface Connection {
  tools: readonly ReviewedTool[]
  era: 'legacy' | 'modern'
  call(tool: string, input: unknown, follow: Follow): Promise<CallToolResult>
  isOpen(): boolean
  /** Why it is gone, as far as it said. */
  lastWords(): string
  close(): Promise<void>
}

/** What a server asks a person during a call, and what it is told. */
export type ElicitedForm = ElicitRequestParams
export type Elicit = (form: ElicitedForm) => ElicitResult

interface Follow {
  signal: AbortSignal
  onProgress?: (text: string) => void
}

/** Starting may take a while; an interpreter and its packages are loaded first. */
const START_MS = 60_000
const PROBE_MS = 10_000
const CALL_MOST_MS = 3_600_000

/** A verdict about the protocol is asked for again after this. */
const ERA_KEPT_MS = 7 * 24 * 60 * 60_000

/** Starts or reaches a server and asks what tools it has. */
export async function connectServer(
  server: OutsideServer,
  place: ServerPlace,
  signal: AbortSignal,
  elicit: Elicit = () => ({ action: 'decline' }),
): Promise<Connection> {
  const sdk = await import('@modelcontextprotocol/client')
  const opened = isLocal(server)
    ? await openLocal(server, place, signal, sdk.deserializeMessage)
    : openRemote(server, place, sdk.StreamableHTTPClientTransport)
  const client = new sdk.Client(
    { name: 'troupe', version: '1' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_MS } } },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => elicit(params))
  const lastWords = () => [opened.fault(), opened.stderr().trim().split('\n').slice(-5).join('\n')].filter(Boolean).join(': ')
  try {
    await client.connect(opened.transport, { signal, timeout: START_MS, ...priorOf(server, new Date()) })
    const { tools } = client.getServerCapabilities()?.tools
      ? await client.listTools(undefined, { signal, timeout: START_MS })
      : { tools: [] }
    const offered = withResources(client, tools.map(reviewedTool))
    return {
      tools: offered,
      era: client.getProtocolEra() === 'modern' ? 'modern' : 'legacy',
      call: async (name, input, follow) => {
        const options = askOptions(server, follow)
        if (name === resourcesTool.name && offered.includes(resourcesTool)) return readResources(client, input, options)
        return client.callTool({ name, arguments: input as Record<string, unknown> }, options) // the gate has parsed it as an object
      },
      isOpen: () => client.transport !== undefined,
      lastWords,
      close: () => client.close(),
    }
  } catch (error) {
    await client.close().catch(() => undefined)
    await opened.transport.close().catch(() => undefined)
    if (signal.aborted) throw new Problem('stopped', `${server.name} was stopped before it answered`)
    if (error instanceof Problem) throw error
    const words = lastWords()
    throw new Problem('provider_failed', `the server ${server.name} cannot be used: ${words === '' ? messageOf(error) : words}`, {
      cause: error,
    })
  }
}

/** A server that has a tool of that name itself keeps it. */
function withResources(client: Client, tools: readonly ReviewedTool[]): ReviewedTool[] {
  const isTaken = tools.some(({ name }) => name === resourcesTool.name)
  return isTaken || !offersResources(client) ? [...tools] : [...tools, resourcesTool]
}

/** A tool as it is kept, with the fingerprint of all that was said about it. */
function reviewedTool(tool: Awaited<ReturnType<Client['listTools']>>['tools'][number]): ReviewedTool {
  const { name, title, description, inputSchema, outputSchema, annotations = {} } = tool
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations
  return {
    name,
    description: description ?? title ?? annotations.title ?? '',
    input_schema: inputSchema,
    hints: {
      ...(readOnlyHint !== undefined && { readOnlyHint }),
      ...(destructiveHint !== undefined && { destructiveHint }),
      ...(openWorldHint !== undefined && { openWorldHint }),
    },
    digest: digestOf({ name, title, description, inputSchema, outputSchema, annotations }),
  }
}

function askOptions({ settings }: OutsideServer, { signal, onProgress }: Follow): RequestOptions {
  return {
    signal,
    timeout: settings.timeout_s * 1_000,
    resetTimeoutOnProgress: true,
    maxTotalTimeout: CALL_MOST_MS,
    ...(onProgress && { onprogress: (progress: Progress) => onProgress(progressText(progress)) }),
  }
}

function progressText({ progress, total, message }: Progress): string {
  return `${[`${progress}${total === undefined ? '' : ` of ${total}`}`, message].filter(Boolean).join(': ')}\n`
}

function priorOf({ reviewed }: OutsideServer, now: Date) {
  const isKnown = reviewed?.era === 'legacy' && now.getTime() - Date.parse(reviewed.reviewed_at) < ERA_KEPT_MS
  return isKnown ? { prior: { kind: 'legacy' as const } } : {}
}

type ReadLine = typeof import('@modelcontextprotocol/client').deserializeMessage

async function openLocal(server: OutsideServer, place: ServerPlace, signal: AbortSignal, readLine: ReadLine) {
  const { processTransport } = await import('./process-transport.ts')
  const process = await openProcess({ ...commandFor(server, place), signal }, place.sandbox)
  const transport = processTransport(process, readLine)
  return { transport, fault: () => transport.fault()?.message ?? '', stderr: () => process.stderrTail() }
}

/** What starts a local server: in the sandbox of a role, with the network and the folders its own entry gives it. */
function commandFor({ name, settings, env }: OutsideServer, { root, access, bounds, commands, sandbox }: ServerPlace): Command {
  const { command = '', args, mounts, writes } = settings
  const held = bounds.read_paths.length + bounds.write_paths.length > 0
  if (held && (sandbox.kind === 'none' || !canBeMounted(bounds.read_paths)))
    throw new Problem('denied', `${name} cannot be held to the paths of this role, so it is not started`)
  const changed = writes.map(inHome)
  const within = changed.find((path) => overlaps(root, path))
  if (within !== undefined)
    throw new Problem('denied', `${name} was to change ${within} for every role, but that is in the workspace, where the role decides`)
  return {
    argv: [command, ...args.map((arg) => arg.replaceAll('{workspace}', root))],
    root,
    access,
    bounds,
    ...commands,
    network: narrowedPolicy(networkPolicy(settings.network), networkPolicy(bounds.network)),
    mounts: [
      ...mounts.map((path) => ({ path: inHome(path), access: 'read' as const })),
      ...changed.map((path) => ({ path, access: 'change' as const })),
    ],
    env,
  }
}

function overlaps(root: string, path: string): boolean {
  const [one, other] = [root, path].map(realOf)
  return one === undefined || other === undefined || isInside(one, other) || isInside(other, one)
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

type RemoteTransport = typeof import('@modelcontextprotocol/client').StreamableHTTPClientTransport

function openRemote({ name, settings, headers }: OutsideServer, { bounds }: ServerPlace, Transport: RemoteTransport) {
  const url = new URL(settings.url ?? '')
  if (networkPolicy(bounds.network) === 'off') throw new Problem('denied', `${name} is at ${url.host}, and this role has no network`)
  const transport = new Transport(url, { requestInit: { headers: { ...headers }, redirect: 'error' } })
  return { transport, fault: () => '', stderr: () => '' }
}

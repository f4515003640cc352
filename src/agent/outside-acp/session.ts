import { setTimeout as sleep } from 'node:timers/promises'
import {
  methods,
  RequestError,
  type ContentBlock,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../domain/run.ts'
import type { Command, SandboxState } from '../../sandbox/sandbox.ts'
import { asRefusal, connectAgent, unlessGone, type AgentConnection } from './connection.ts'
import { setRoleMode } from './mode.ts'

/** Something the agent wants to know; it waits until it is answered. */
export type AgentAsked =
  | { type: 'permission'; asked: RequestPermissionRequest; answer: (answer: RequestPermissionResponse) => void }
  | { type: 'form'; asked: CreateElicitationRequest; answer: (answer: CreateElicitationResponse) => void }

/** What happens while a prompt is at work, in its order. */
export type Happening =
  | { type: 'update'; update: SessionUpdate }
  | { type: 'asked'; asked: AgentAsked }
  | { type: 'ended'; response: PromptResponse }
  | { type: 'failed'; problem: Problem }

/** A conversation with an outside agent that outlives the run it was begun for. */
export interface AgentSession {
  /** What it was told of the thread already. */
  readonly told: Set<string>
  system: string
  /** What it asked that a person has still to answer, by the call that stands for it in the thread. */
  readonly open: Map<string, AgentAsked>
  readonly isPrompting: () => boolean
  readonly isOpen: () => boolean
  /** What it has spent, in millionths of a dollar, where it says so. */
  spent: number | null
  context: { used: number; size: number } | null
  prompt: (text: string) => void
  next: (signal: AbortSignal) => Promise<Happening>
  /** Stops the prompt; false when the agent does not end it. */
  cancel: () => Promise<boolean>
  close: () => Promise<void>
}

const NEW_SESSION_MS = 120_000
const MODE_MS = 10_000

/** A prompt that was cancelled is to be answered soon; else the whole agent is ended. */
const CANCEL_MS = 5_000

/** For so long it may take until a program whose pipe broke has ended. */
const GONE_MS = 2_000

/** More than this in one prompt is no work but a flood; a message weighs at least as much as its frame. */
const FLOOD_CHARS = 20_000_000
const FRAME_CHARS = 100

export async function openAgentSession(name: string, command: Command, sandbox: SandboxState, run: Run): Promise<AgentSession> {
  const queue = happenings(name)
  const connection = await connectAgent(name, command, sandbox, {
    update: ({ update }) => queue.add({ type: 'update', update }),
    permission: (asked, signal) =>
      answered<RequestPermissionResponse>(signal, { outcome: { outcome: 'cancelled' } }, (answer) =>
        queue.add({ type: 'asked', asked: { type: 'permission', asked, answer } }),
      ),
    elicit: (asked, signal) =>
      answered<CreateElicitationResponse>(signal, { action: 'cancel' }, (answer) =>
        queue.add({ type: 'asked', asked: { type: 'form', asked, answer } }),
      ),
  })
  try {
    return await begin(name, connection, queue, run)
  } catch (error) {
    await connection.close()
    throw asRefusal(name, error)
  }
}

async function begin(name: string, connection: AgentConnection, queue: ReturnType<typeof happenings>, run: Run): Promise<AgentSession> {
  const { agent, gone } = connection
  const fresh = agent.request(methods.agent.session.new, { cwd: run.workspace, mcpServers: [] })
  const session = await unlessGone(name, NEW_SESSION_MS, gone, fresh)
  await unlessGone(name, MODE_MS, gone, setRoleMode(agent, session, run)).catch(() => undefined) // a courtesy; the sandbox holds without it
  const talk = promptsOn(name, connection, queue, session.sessionId)
  return {
    told: new Set(),
    system: '',
    open: new Map(),
    spent: null,
    context: null,
    next: (signal) => queue.next(signal),
    ...talk,
  }
}

/** Prompts of one session, one at a time. */
function promptsOn(name: string, { agent, gone, close }: AgentConnection, queue: ReturnType<typeof happenings>, sessionId: string) {
  const state = { prompting: false, isOpen: true }
  void gone.then((problem) => {
    state.isOpen = false
    queue.add({ type: 'failed', problem })
  })

  function prompt(text: string): void {
    state.prompting = true
    queue.reset()
    const block: ContentBlock = { type: 'text', text }
    void agent
      .request(methods.agent.session.prompt, { sessionId, prompt: [block] })
      .then(
        (response) => queue.add({ type: 'ended', response }),
        async (error: unknown) => queue.add({ type: 'failed', problem: await whyBroken(error) }),
      )
      .finally(() => (state.prompting = false))
  }

  /** A connection that broke says less than how the program behind it ended. */
  async function whyBroken(error: unknown): Promise<Problem> {
    if (error instanceof RequestError) return asRefusal(name, error)
    return Promise.race([gone, sleep(GONE_MS, asRefusal(name, error), { ref: false })])
  }

  async function cancel(): Promise<boolean> {
    if (!state.prompting) return state.isOpen
    await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined)
    const late = AbortSignal.timeout(CANCEL_MS)
    while (state.prompting && !late.aborted && state.isOpen) {
      const happened = await queue.next(late).catch(() => null)
      if (happened?.type === 'asked') refuse(happened.asked)
    }
    return !state.prompting && state.isOpen
  }

  const end = async () => {
    state.isOpen = false
    await close()
  }
  return { prompt, cancel, close: end, isPrompting: () => state.prompting, isOpen: () => state.isOpen }
}

/** Answers a request that nobody answers any more. */
export function refuse(asked: AgentAsked): void {
  if (asked.type === 'permission') asked.answer({ outcome: { outcome: 'cancelled' } })
  else asked.answer({ action: 'cancel' })
}

function answered<T>(signal: AbortSignal, none: T, ask: (answer: (given: T) => void) => void): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  signal.addEventListener('abort', () => resolve(none), { once: true })
  ask(resolve)
  return promise
}

/** What happened and was not looked at yet. */
function happenings(name: string) {
  let waiting: Happening[] = []
  let weight = 0
  let wake = Promise.withResolvers<void>()
  const flood = () =>
    new Problem('provider_failed', `${name} was stopped: it sent more than ${FLOOD_CHARS / 1_000_000} million characters in one turn`)
  return {
    add(happening: Happening): void {
      const before = weight
      weight += weightOf(happening)
      if (weight <= FLOOD_CHARS || happening.type !== 'update') waiting.push(happening)
      else if (before <= FLOOD_CHARS) waiting = [{ type: 'failed', problem: flood() }]
      wake.resolve()
    },
    reset(): void {
      weight = 0
    },
    async next(signal: AbortSignal): Promise<Happening> {
      for (;;) {
        signal.throwIfAborted()
        const first = waiting.shift()
        if (first !== undefined) return first
        wake = Promise.withResolvers<void>()
        const onAbort = () => wake.resolve()
        signal.addEventListener('abort', onAbort, { once: true })
        await wake.promise
        signal.removeEventListener('abort', onAbort)
      }
    },
  }
}

function weightOf(happening: Happening): number {
  if (happening.type !== 'update' || !('content' in happening.update)) return FRAME_CHARS
  const { content } = happening.update
  return FRAME_CHARS + (Array.isArray(content) ? JSON.stringify(content).length : content?.type === 'text' ? content.text.length : 0)
}

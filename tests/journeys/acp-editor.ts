import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type AnyMessage,
  type ClientCapabilities,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type Stream,
} from '@agentclientprotocol/sdk'
import type { TestContext } from 'node:test'
import { launcher, type Account } from '../../src/cli/test-account.ts'
import { frameCheck } from './acp-frames.ts'

/** What the person at the editor answers. */
export interface EditorAnswers {
  can?: ClientCapabilities
  permission?: (request: RequestPermissionRequest) => RequestPermissionResponse | Promise<RequestPermissionResponse>
  form?: (request: CreateElicitationRequest) => CreateElicitationResponse
  args?: readonly string[]
}

/** An editor that was started beside an account, with everything it was told and asked. */
export interface Editor {
  agent: ClientContext
  told: SessionNotification['update'][]
  asked: RequestPermissionRequest[]
  process: ChildProcess
  /** What the agent said in words. */
  said(): string
  /** Opens a session in the project. */
  open(): Promise<string>
  prompt(sessionId: string, text: string): Promise<string>
}

/** Chooses the option of this kind, or the first of any. */
export function chooses(kind: string) {
  return ({ options }: RequestPermissionRequest): RequestPermissionResponse => {
    const option = options.find((each) => each.kind === kind) ?? options[0]
    return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } }
  }
}

/** Starts `troupe acp` with the official client at its other end; every frame either way must fit the published schemas. */
export async function anEditor(t: TestContext, account: Account, answers: EditorAnswers = {}): Promise<Editor> {
  const { can = {}, permission = chooses('allow_once'), form = () => ({ action: 'cancel' }), args = [] } = answers
  const process = spawn(launcher, ['acp', ...args], { cwd: account.project, env: account.env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(process, 'exit')
  const frames = frameCheck()
  const told: Editor['told'] = []
  const asked: Editor['asked'] = []
  const app = client({ name: 'test' })
    .onNotification(methods.client.session.update, ({ params }) => void told.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      asked.push(params)
      return permission(params)
    })
    .onRequest(methods.client.elicitation.create, ({ params }) => form(params))
  const connection = app.connect(watched(process, frames.look))
  t.after(async () => {
    connection.close()
    process.stdin?.end()
    await ended
    frames.assertValid()
  })
  const { agent } = connection
  await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: can })
  return {
    agent,
    told,
    asked,
    process,
    said: () =>
      told
        .map((update) => (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''))
        .join(''),
    open: async () => (await agent.request(methods.agent.session.new, { cwd: account.project, mcpServers: [] })).sessionId,
    prompt: async (sessionId, text) =>
      (await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] })).stopReason,
  }
}

/** The frames of a process, each shown to `look` on its way. */
function watched({ stdin, stdout }: ChildProcess, look: (frame: AnyMessage, from: 'client' | 'agent') => void): Stream {
  if (stdin === null || stdout === null) throw new Error('the process has no pipes')
  const lines = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>) // a pipe gives buffers
  const out = watching('client', look)
  void out.readable.pipeTo(lines.writable).catch(() => undefined)
  return { writable: out.writable, readable: lines.readable.pipeThrough(watching('agent', look)) }
}

function watching(from: 'client' | 'agent', look: (frame: AnyMessage, from: 'client' | 'agent') => void) {
  return new TransformStream<AnyMessage, AnyMessage>({
    transform(frame, controller) {
      look(frame, from)
      controller.enqueue(frame)
    },
  })
}

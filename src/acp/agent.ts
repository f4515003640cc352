import {
  agent,
  methods,
  PROTOCOL_VERSION,
  type AgentApp,
  type AgentContext as Client,
  type InitializeResponse,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type LoadSessionRequest,
  type NewSessionRequest,
  type ResumeSessionRequest,
} from '@agentclientprotocol/sdk'
import { deleteChat } from '../chat/delete.ts'
import { createChat } from '../chat/create.ts'
import { listChats, viewChat } from '../chat/view.ts'
import { perform } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { choicesOf } from './options.ts'
import { cancelPrompt, playPrompt } from './prompt.ts'
import { replayed } from './replay.ts'
import { answering } from './request-error.ts'
import { chatAt, needSession, openSession, tellUsage, type AcpConnection } from './session.ts'
import { setMode, setOption } from './set-option.ts'

const PAGE = 50
const EVERY_ENTRY = 100_000

/** The way to sign in that every editor can use: there is nothing to do, the models are those of the settings. */
const CONFIGURED = { id: 'configured', name: 'Use the models you configured', description: 'API keys come from your environment' }

export interface AcpOptions {
  /** The role of a new session. */
  newRole: string
  version: string
}

/** Troupe as an agent of the Agent Client Protocol: a session is a chat of the store, and everything it does passes the same gate. */
export function acpAgent(connection: AcpConnection, { newRole, version }: AcpOptions): AgentApp {
  const { initialize, authenticate, session } = methods.agent
  const app = agent({ name: 'troupe' }).onRequest(initialize, ({ params }) => {
    connection.can = params.clientCapabilities ?? {}
    return introduction(version)
  })
  app.onRequest(
    authenticate,
    answering(async ({ params }) => signIn(params.methodId)),
  )
  app.onRequest(
    session.new,
    answering(async ({ params, client }) => startSession(connection, client, params, newRole)),
  )
  app.onRequest(
    session.load,
    answering(async ({ params, client }) => loadSession(connection, client, params)),
  )
  app.onRequest(
    session.resume,
    answering(async ({ params, client }) => takeUp(connection, client, params)),
  )
  app.onRequest(
    session.list,
    answering(async ({ params }) => listSessions(connection, params)),
  )
  app.onRequest(
    session.close,
    answering(async ({ params }) => closeSession(connection, params.sessionId)),
  )
  app.onRequest(
    session.delete,
    answering(async ({ params }) => deleteSession(connection, params.sessionId)),
  )
  app.onRequest(
    session.setMode,
    answering(async ({ params, client }) => setMode(connection, client, params)),
  )
  app.onRequest(
    session.setConfigOption,
    answering(async ({ params, client }) => setOption(connection, client, params)),
  )
  app.onRequest(
    session.prompt,
    answering(async ({ params, client }) => playPrompt(connection, client, params)),
  )
  return app.onNotification(session.cancel, async ({ params }) => cancelSession(connection, params.sessionId))
}

async function cancelSession(connection: AcpConnection, id: string): Promise<void> {
  const session = connection.sessions.get(id)
  if (session !== undefined) await cancelPrompt(await connection.services(), session)
}

function signIn(methodId: string) {
  if (methodId === CONFIGURED.id) return {}
  throw new Problem('bad_input', `there is no way to sign in called ${methodId}; use ${CONFIGURED.id}`)
}

function introduction(version: string): InitializeResponse {
  return {
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'troupe', title: 'Troupe', version },
    authMethods: [CONFIGURED],
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
    },
  }
}

async function startSession(connection: AcpConnection, client: Client, { cwd, ...rest }: NewSessionRequest, agent_role: string) {
  refuseUnused(rest)
  const services = await connection.services()
  const chat = await perform(createChat, services.context, { workspace: cwd, agent_role })
  openSession(connection, chat, client)
  return { sessionId: chat.id, ...(await introduce(connection, chat.id)) }
}

/** Everything that was said and done is told again before the answer. */
async function loadSession(connection: AcpConnection, client: Client, request: LoadSessionRequest) {
  refuseUnused(request)
  const services = await connection.services()
  const { chat } = await chatAt(services, request.sessionId)
  const session = openSession(connection, chat, client)
  const shown = await viewChat(services.context, chat.id, { limit: EVERY_ENTRY })
  for (const update of shown.messages.flatMap((message) => replayed(message, shown))) session.send(update)
  await tellUsage(services, session)
  return introduce(connection, chat.id)
}

async function takeUp(connection: AcpConnection, client: Client, request: ResumeSessionRequest) {
  refuseUnused(request)
  const { chat } = await chatAt(await connection.services(), request.sessionId)
  openSession(connection, chat, client)
  return introduce(connection, chat.id)
}

/** What can be chosen in a session. Its commands are told right after the answer: before it, the editor does not know the session. */
async function introduce(connection: AcpConnection, id: string) {
  const services = await connection.services()
  const { chat, place } = await chatAt(services, id)
  const availableCommands = services.commands.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint !== undefined && { input: { hint } }),
  }))
  setImmediate(() => connection.sessions.get(id)?.send({ sessionUpdate: 'available_commands_update', availableCommands }))
  return choicesOf(chat, place, services.models)
}

/** What was not offered is refused rather than left out: the person would think that it is there. */
function refuseUnused({ additionalDirectories }: Pick<NewSessionRequest, 'additionalDirectories'>): void {
  if ((additionalDirectories ?? []).length > 0) throw new Problem('bad_input', 'a session has one folder; leave additionalDirectories out')
}

async function listSessions(connection: AcpConnection, { cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
  const { context } = await connection.services()
  const from = Number(cursor ?? 0)
  if (!Number.isSafeInteger(from) || from < 0) throw new Problem('bad_input', `"${cursor}" is not a cursor; take the one that was given`)
  const all = (await listChats(context.agent.driver)).filter(({ workspace }) => cwd === null || cwd === undefined || workspace === cwd)
  const page = all.slice(from, from + PAGE)
  return {
    sessions: page.map(({ id, workspace, title, updated_at }) => ({ sessionId: id, cwd: workspace, title, updatedAt: updated_at })),
    ...(all.length > from + PAGE && { nextCursor: String(from + PAGE) }),
  }
}

async function closeSession(connection: AcpConnection, id: string) {
  const session = needSession(connection, id)
  await cancelPrompt(await connection.services(), session)
  connection.sessions.delete(id)
  return {}
}

async function deleteSession(connection: AcpConnection, id: string) {
  const services = await connection.services()
  await chatAt(services, id)
  const session = connection.sessions.get(id)
  if (session !== undefined) await cancelPrompt(services, session)
  await perform(deleteChat, services.context, { chat: id })
  connection.sessions.delete(id)
  return {}
}

import type { AgentContext as Client, SetSessionConfigOptionRequest, SetSessionModeRequest } from '@agentclientprotocol/sdk'
import { configureChat } from '../chat/configure.ts'
import { missingPermissions } from '../domain/permission.ts'
import { permissionWords } from '../domain/permission-words.ts'
import { perform } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { choose } from './ask-person.ts'
import { DEFAULT_VALUE, MODEL_OPTION, REASONING_OPTION, ROLE_OPTION } from './options.ts'
import { chatAt, needSession, tellChoices, type AcpConnection } from './session.ts'
import { textContent } from './tool-call.ts'

/** A person who does not answer by then has not agreed. */
const CONFIRM_WITHIN_MS = 120_000

export async function setMode(connection: AcpConnection, client: Client, { sessionId, modeId }: SetSessionModeRequest) {
  await setOption(connection, client, { sessionId, configId: ROLE_OPTION, value: modeId })
  return {}
}

/** Changes what was chosen for a session, and tells both forms of it; the answer is the whole list, as the protocol wants it. */
export async function setOption(connection: AcpConnection, client: Client, request: SetSessionConfigOptionRequest) {
  const session = needSession(connection, request.sessionId)
  const services = await connection.services()
  const change = changeOf(request)
  if (change.agent_role !== undefined) await confirmWider(connection, client, session.id, change.agent_role)
  await perform(configureChat, services.context, { chat: session.id, ...change })
  const { configOptions } = await tellChoices(services, session)
  return { configOptions }
}

function changeOf({ configId, value }: SetSessionConfigOptionRequest) {
  if (typeof value !== 'string') throw new Problem('bad_input', `the option ${configId} takes one of its values, not ${String(value)}`)
  const chosen = value === DEFAULT_VALUE ? null : value
  if (configId === ROLE_OPTION) return { agent_role: value }
  if (configId === MODEL_OPTION) return { model: chosen }
  if (configId === REASONING_OPTION) return { reasoning: chosen }
  throw new Problem('not_found', `there is no option ${configId}; there are ${[ROLE_OPTION, MODEL_OPTION, REASONING_OPTION].join(', ')}`)
}

/** Editors switch modes by a key that is pressed by mistake, so more rights need a yes. */
async function confirmWider(connection: AcpConnection, client: Client, sessionId: string, to: string): Promise<void> {
  const { chat, place } = await chatAt(await connection.services(), sessionId)
  const { roles } = place.agent
  const { role } = roles.resolve(chat.config.agent_role)
  const next = roles.need(to)
  const gained = missingPermissions(role.permissions, next.permissions)
  if (gained.length === 0) return
  const why = `${next.name} may also ${gained.map((right) => permissionWords[right]).join(', ')}.`
  const person = {
    client,
    sessionId,
    workspace: chat.workspace,
    can: connection.can,
    signal: AbortSignal.timeout(CONFIRM_WITHIN_MS),
  }
  const call = {
    toolCallId: `switch_to_${next.id}`,
    title: `Switch to ${next.name}?`,
    kind: 'switch_mode' as const,
    status: 'pending' as const,
    content: [textContent(why)],
  }
  const chosen = await choose(person, call, [
    { optionId: 'switch', name: `Switch to ${next.name}`, kind: 'allow_once' },
    { optionId: 'stay', name: `Stay ${role.name}`, kind: 'reject_once' },
  ]).catch(() => null)
  if (chosen !== 'switch')
    throw new Problem('confirmation_required', `${why} Nobody agreed, so the session stays ${role.name}; /role ${next.id} switches too`)
}

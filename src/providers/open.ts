import { fullModelName, WRITE_A_MODEL } from '../domain/model-name.ts'
import { Problem } from '../domain/problem.ts'
import { connectProvider, type ProviderConnection } from './connect.ts'
import { costMicrousd } from './cost.ts'
import { hostedProvider } from './hosted.ts'
import type { LibraryConnection } from './wire/library-wire.ts'
import type { Provider } from './provider.ts'
import { defaultRetry } from './retry.ts'
import { hostedKindNames, hostedKinds, keyIn, type ProviderSettings } from './settings.ts'
import type { Wire } from './wire/wire.ts'

/** A provider and the name of the model to ask it for. */
export interface ResolvedModel {
  provider: Provider
  model: string
}

/** From `provider/model`, a bare model name, `scripted:FILE`, `replay:FILE`, `rehearsal` or `default` to something that can be asked. */
export async function resolveModel(name: string, settings: ProviderSettings): Promise<ResolvedModel> {
  const asked = name === 'default' ? defaultModel(settings) : name
  const wanted = fullModelName(asked, settings.models)
  if (wanted === null) throw new Problem('bad_input', `no provider is known for the model "${asked}"; ${WRITE_A_MODEL}`)
  const [, kind, rest] = /^([^/:]+)[/:](.+)$/s.exec(wanted) ?? []
  if (kind === 'scripted' && rest !== undefined) return { provider: await scriptFile(rest), model: wanted }
  if (kind === 'replay' && rest !== undefined) return { provider: await recordingFile(rest), model: wanted }
  if (wanted === 'rehearsal') return { provider: await openProvider('rehearsal', settings), model: wanted }
  const slash = wanted.indexOf('/')
  if (slash < 1 || slash === wanted.length - 1) {
    throw new Problem(
      'bad_input',
      `"${wanted}" is not a model name; write provider/model, for example openai/gpt-5, or scripted:FILE, or rehearsal`,
    )
  }
  return { provider: await openProvider(wanted.slice(0, slash), settings), model: wanted.slice(slash + 1) }
}

/** The provider of that name, ready to be asked; nothing is sent and no package loaded yet. */
export async function openProvider(name: string, settings: ProviderSettings): Promise<Provider> {
  if (name === 'rehearsal') return (await import('./rehearsal/rehearsal.ts')).rehearsalProvider()
  const connection = connectProvider(name, settings)
  return hostedProvider({
    connection,
    load: () => openWire(connection),
    cost: costOf(connection),
    retry: { ...defaultRetry, ...settings.retry },
  })
}

/** Imports the wire a connection speaks: our own for every server that speaks OpenAI's chat, the library's for those with a protocol of their own. */
async function openWire(connection: ProviderConnection): Promise<Wire> {
  if (!isLibraryConnection(connection)) return (await import('./wire/chat-wire.ts')).chatWire(connection)
  const { libraryWire, loadModels } = await import('./wire/library-wire.ts')
  return libraryWire(await loadModels(connection))
}

function isLibraryConnection(connection: ProviderConnection): connection is LibraryConnection {
  return connection.api !== 'chat'
}

/** The model of roles that say `default`: what is configured, else the first provider with a key, else the rehearsal. */
export function defaultModel({ model, env }: ProviderSettings): string {
  if (model !== undefined && model !== null && model !== 'default') return model
  const kind = hostedKindNames.find((name) => keyIn(env, hostedKinds[name].key_variables) !== null)
  return kind === undefined ? 'rehearsal' : `${kind}/${hostedKinds[kind].default_model}`
}

/** Nobody knows what a server of the user's own costs. */
function costOf({ kind }: ProviderConnection) {
  if (kind === 'openai-compatible') return () => Promise.resolve(null)
  return costMicrousd.bind(null, kind)
}

async function scriptFile(file: string): Promise<Provider> {
  const [{ readScript }, { scriptedProvider }] = await Promise.all([import('./script/script.ts'), import('./script/scripted.ts')])
  const { replies, ...options } = await readScript(file)
  return scriptedProvider(replies, options)
}

async function recordingFile(file: string): Promise<Provider> {
  const { readRecording, replayProvider } = await import('./script/replay.ts')
  return replayProvider(await readRecording(file))
}

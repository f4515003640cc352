import { Problem } from '../domain/problem.ts'
import { costMicrousd } from './cost.ts'
import { hostedProvider } from './hosted.ts'
import { loadModels } from './load-models.ts'
import type { Provider } from './provider.ts'
import { defaultRetry } from './retry.ts'
import { baseUrlOf, hostedKinds, keyIn, localServers } from './settings.ts'
import type { HostedName, ProviderSettings } from './settings.ts'

/** A provider and the name of the model to ask it for. */
export interface ResolvedModel {
  provider: Provider
  model: string
}

/** From `provider/model`, `scripted:FILE`, `replay:FILE`, `rehearsal` or `default` to something that can be asked. */
export async function resolveModel(name: string, settings: ProviderSettings): Promise<ResolvedModel> {
  const wanted = name === 'default' ? defaultModel(settings) : name
  const file = /^(scripted|replay):(.+)$/.exec(wanted)
  if (file?.[1] === 'scripted' && file[2] !== undefined) return { provider: await scriptFile(file[2]), model: wanted }
  if (file?.[1] === 'replay' && file[2] !== undefined) return { provider: await recordingFile(file[2]), model: wanted }
  if (wanted === 'rehearsal') return { provider: await openProvider('rehearsal', settings), model: wanted }
  const slash = wanted.indexOf('/')
  if (slash < 1 || slash === wanted.length - 1) {
    throw new Problem(
      'bad_input',
      `"${wanted}" names no model; write provider/model, for example openai/gpt-5, or scripted:FILE, or rehearsal.`,
    )
  }
  return { provider: await openProvider(wanted.slice(0, slash), settings), model: wanted.slice(slash + 1) }
}

/** The provider of that name, ready to be asked; nothing is sent and no package loaded yet. */
export async function openProvider(name: string, settings: ProviderSettings): Promise<Provider> {
  if (name === 'rehearsal') return (await import('./rehearsal.ts')).rehearsalProvider()
  if (isHosted(name)) return openHosted(name, settings)
  const own = settings.servers?.[name]
  if (own !== undefined) return openServer(name, own.base_url, own.key_variable, settings)
  if (isLocal(name)) return openServer(name, localServers[name], null, settings)
  const known = [...Object.keys(hostedKinds), ...Object.keys(localServers), ...Object.keys(settings.servers ?? {}), 'rehearsal']
  throw new Problem(
    'bad_input',
    `There is no provider "${name}"; known are ${known.join(', ')}, and any server you add under servers with its base_url.`,
  )
}

/** The model of roles that say `default`: what is configured, else the first provider with a key, else the rehearsal. */
export function defaultModel({ default_model, env }: ProviderSettings): string {
  if (default_model !== undefined && default_model !== null && default_model !== 'default') return default_model
  const name = Object.keys(hostedKinds).find((kind) => isHosted(kind) && keyIn(env, hostedKinds[kind].key_variables) !== null)
  return name !== undefined && isHosted(name) ? `${name}/${hostedKinds[name].default_model}` : 'rehearsal'
}

function openHosted(name: HostedName, settings: ProviderSettings): Provider {
  const kind = hostedKinds[name]
  const found = keyIn(settings.env, kind.key_variables)
  if (found === null) {
    throw new Problem('provider_refused', `${name} needs a key: set ${kind.key_variables[0]}, or choose another model with --model.`, {
      details: { provider: name, variables: kind.key_variables },
    })
  }
  const base_url = baseUrlOf(kind, settings.env)
  const elsewhere = base_url !== kind.base_url
  return hostedProvider({
    name,
    base_url,
    key_variable: found.variable,
    load: () => loadModels({ name, wire: name === 'openai' && elsewhere ? 'compatible' : name, base_url, key: found.key }),
    cost: (model, tokens) => costMicrousd(name, model, tokens),
    retry: { ...defaultRetry, ...settings.retry },
    windows: { known: true, configured: settings.context_windows ?? {} },
    caching: name === 'anthropic' ? 'marked' : 'automatic',
  })
}

function openServer(name: string, base_url: string, key_variable: string | null, settings: ProviderSettings): Provider {
  const key = key_variable === null ? null : (keyIn(settings.env, [key_variable])?.key ?? null)
  if (key_variable !== null && key === null) throw new Problem('provider_refused', `${name} needs a key: set ${key_variable}.`)
  return hostedProvider({
    name,
    base_url,
    key_variable,
    load: () => loadModels({ name, wire: 'compatible', base_url, key }),
    cost: () => Promise.resolve(null),
    retry: { ...defaultRetry, ...settings.retry },
    windows: { known: false, configured: settings.context_windows ?? {} },
    caching: 'automatic',
  })
}

async function scriptFile(file: string): Promise<Provider> {
  const [{ readScript }, { scriptedProvider }] = await Promise.all([import('./script.ts'), import('./scripted.ts')])
  const { replies, ...options } = await readScript(file)
  return scriptedProvider(replies, options)
}

async function recordingFile(file: string): Promise<Provider> {
  const { readRecording, replayProvider } = await import('./replay.ts')
  return replayProvider(await readRecording(file))
}

function isHosted(name: string): name is HostedName {
  return Object.hasOwn(hostedKinds, name)
}

function isLocal(name: string): name is keyof typeof localServers {
  return Object.hasOwn(localServers, name)
}

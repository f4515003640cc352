import type { AttachmentKind } from '../domain/attachment.ts'
import { Problem } from '../domain/problem.ts'
import { hostedKindNames, hostedKinds, keyIn, localServers } from './settings.ts'
import type { HostedKindName, NamedProvider, ProviderSettings, ServiceTier } from './settings.ts'
import type { SilenceLimits } from './wire/http-request.ts'

/** Whom a provider name stands for, and how it is reached. */
export interface ProviderConnection {
  name: string
  kind: HostedKindName | 'openai-compatible'
  base_url: string
  key: string | null
  key_variable: string | null
  context_window: number | null
  /** The protocol it is spoken to in. */
  api: WireApi
  silence: SilenceLimits
  service_tier: ServiceTier | null
  /** What its models can be shown beside words, where the user said so. */
  takes: readonly AttachmentKind[] | null
}

/** OpenAI has two protocols: its own newer one, and the chat that nearly every other server took over from it. */
export type WireApi = 'anthropic' | 'google' | 'responses' | 'chat'

/** A server of the user's own may load a model first, and xAI sends nothing while a model thinks. */
const HOSTED_SILENCE_S = 60
const PATIENT_SILENCE_S = 300

/** Finds address and key of a provider, or says which setting is missing. */
export function connectProvider(name: string, settings: ProviderSettings): ProviderConnection {
  const own = settings.providers?.[name]
  const kind = own?.kind ?? kindNamed(name)
  if (kind === null) throw unknownProvider(name, settings)
  if (kind === 'scripted' || kind === 'replay') throw new Problem('bad_input', `${name} needs a file: write ${kind}:FILE as the model`)
  const base_url = addressOf(name, kind, own, settings)
  const variables = own?.api_key_env === undefined ? variablesOf(kind) : [own.api_key_env]
  const found = keyIn(settings.env, variables)
  if (found === null && variables[0] !== undefined) throw missingKey(name, variables)
  return {
    name,
    kind,
    base_url,
    key: found?.key ?? null,
    key_variable: found?.variable ?? null,
    context_window: own?.context_window ?? null,
    api: apiOf(kind, base_url, own),
    silence: silenceOf(kind, own),
    service_tier: own?.service_tier ?? null,
    takes: own?.takes ?? null,
  }
}

function apiOf(kind: ProviderConnection['kind'], base_url: string, own: NamedProvider | undefined): WireApi {
  if (kind === 'anthropic' || kind === 'google') return kind
  return own?.api ?? (kind === 'openai' && base_url === hostedKinds.openai.base_url ? 'responses' : 'chat')
}

function silenceOf(kind: ProviderConnection['kind'], own: NamedProvider | undefined): SilenceLimits {
  const usual = kind === 'openai-compatible' || kind === 'xai' ? PATIENT_SILENCE_S : HOSTED_SILENCE_S
  return { first_ms: (own?.first_byte_s ?? usual) * 1000, between_ms: (own?.between_bytes_s ?? usual) * 1000 }
}

function kindNamed(name: string): ProviderConnection['kind'] | null {
  return hostedKindNames.find((kind) => kind === name) ?? (Object.hasOwn(localServers, name) ? 'openai-compatible' : null)
}

function variablesOf(kind: ProviderConnection['kind']): readonly string[] {
  return kind === 'openai-compatible' ? [] : hostedKinds[kind].key_variables
}

/** The environment decides for the providers everyone knows; a name of the user's own is reached where its settings say. */
function addressOf(name: string, kind: ProviderConnection['kind'], own: NamedProvider | undefined, { env }: ProviderSettings): string {
  if (kind === 'openai-compatible') {
    const url = own?.base_url ?? Object.entries(localServers).find(([local]) => local === name)?.[1]
    if (url === undefined) throw new Problem('bad_input', `the provider ${name} needs a base_url, for example http://127.0.0.1:8080/v1`)
    return trimmed(url)
  }
  const { base_url_variable, base_url, version } = hostedKinds[kind]
  const set = trimmed((name === kind ? env[base_url_variable]?.trim() : '') || own?.base_url || base_url)
  return /\/v\d+[a-z]*\d*$/.test(set) ? set : `${set}/${version}`
}

function trimmed(url: string): string {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new Problem('bad_input', `"${url}" is not the address of a model server; write http://… or https://…`)
  return url.replace(/\/+$/, '')
}

function missingKey(name: string, variables: readonly string[]): Problem {
  return new Problem('provider_refused', `${name} needs a key: set ${variables[0]}, or choose another model`, {
    details: { provider: name, variables },
  })
}

function unknownProvider(name: string, { providers }: ProviderSettings): Problem {
  const known = new Set([...hostedKindNames, ...Object.keys(localServers), ...Object.keys(providers ?? {}), 'rehearsal'])
  return new Problem(
    'bad_input',
    `there is no provider "${name}"; known are ${[...known].join(', ')}, and any server you add under providers with its base_url`,
  )
}

import type { AttachmentKind } from '../domain/attachment.ts'
import type { ModelTable } from '../domain/model-name.ts'
import type { RetryPolicy } from './retry.ts'

/** How fast and how dear OpenAI answers; other servers took the setting over. */
export const serviceTiers = ['auto', 'default', 'flex', 'priority'] as const
export type ServiceTier = (typeof serviceTiers)[number]

/** A provider the user configured under a name of their own, or to change one of ours. The key is named, never written. */
export interface NamedProvider {
  kind: HostedKindName | 'openai-compatible' | 'scripted' | 'replay'
  base_url?: string | undefined
  api_key_env?: string | undefined
  context_window?: number | undefined
  api?: 'responses' | 'chat' | undefined
  service_tier?: ServiceTier | undefined
  takes?: readonly AttachmentKind[] | undefined
  first_byte_s?: number | undefined
  between_bytes_s?: number | undefined
}

/** All that opening a provider depends on; it comes in as data and nothing is read from the process. */
export interface ProviderSettings {
  env: Readonly<Record<string, string | undefined>>
  /** `provider/model` for roles that say `default`; null lets the keys decide. */
  model?: string | null
  providers?: Readonly<Record<string, NamedProvider>>
  /** Whose models bare names are, beside those we know. */
  models?: ModelTable
  retry?: Partial<RetryPolicy>
}

/** A hosted provider: where its key and address come from, and which model stands for it when none is named. */
export interface HostedKind {
  key_variables: readonly [string, ...string[]]
  base_url_variable: string
  base_url: string
  /** The path a bare host gets: users write both `https://host` and `https://host/v1`. */
  version: string
  default_model: string
}

// oxfmt-ignore
export const hostedKinds = {
  anthropic:  { key_variables: ['ANTHROPIC_API_KEY'],  base_url_variable: 'ANTHROPIC_BASE_URL',     base_url: 'https://api.anthropic.com/v1',                     version: 'v1',     default_model: 'claude-sonnet-5' },
  openai:     { key_variables: ['OPENAI_API_KEY'],     base_url_variable: 'OPENAI_BASE_URL',        base_url: 'https://api.openai.com/v1',                        version: 'v1',     default_model: 'gpt-5' },
  google:     { key_variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
                                                       base_url_variable: 'GOOGLE_GEMINI_BASE_URL', base_url: 'https://generativelanguage.googleapis.com/v1beta', version: 'v1beta', default_model: 'gemini-2.5-pro' },
  openrouter: { key_variables: ['OPENROUTER_API_KEY'], base_url_variable: 'OPENROUTER_BASE_URL',    base_url: 'https://openrouter.ai/api/v1',                     version: 'v1',     default_model: 'anthropic/claude-sonnet-4.5' },
  xai:        { key_variables: ['XAI_API_KEY'],        base_url_variable: 'XAI_BASE_URL',           base_url: 'https://api.x.ai/v1',                              version: 'v1',     default_model: 'grok-code-fast-1' },
  deepseek:   { key_variables: ['DEEPSEEK_API_KEY'],   base_url_variable: 'DEEPSEEK_BASE_URL',      base_url: 'https://api.deepseek.com/v1',                      version: 'v1',     default_model: 'deepseek-chat' },
  mistral:    { key_variables: ['MISTRAL_API_KEY'],    base_url_variable: 'MISTRAL_BASE_URL',       base_url: 'https://api.mistral.ai/v1',                        version: 'v1',     default_model: 'mistral-large-latest' },
  qwen:       { key_variables: ['DASHSCOPE_API_KEY'],  base_url_variable: 'DASHSCOPE_BASE_URL',     base_url: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1', version: 'v1', default_model: 'qwen3-coder-plus' },
  moonshot:   { key_variables: ['MOONSHOT_API_KEY'],   base_url_variable: 'MOONSHOT_BASE_URL',      base_url: 'https://api.moonshot.ai/v1',                       version: 'v1',     default_model: 'kimi-k2-0905-preview' },
} as const satisfies Record<string, HostedKind>

export type HostedKindName = keyof typeof hostedKinds

/** The kinds in the order in which their keys are looked for. */
export const hostedKindNames = Object.keys(hostedKinds) as HostedKindName[] // the keys of a literal object are its names

/** Servers people run on their own machine, at the addresses they listen on unless told otherwise. */
// oxfmt-ignore
export const localServers = {
  ollama:   'http://127.0.0.1:11434/v1',
  lmstudio: 'http://127.0.0.1:1234/v1',
  vllm:     'http://127.0.0.1:8000/v1',
} as const

/** The first of the variables that is set, with its value. */
export function keyIn(env: ProviderSettings['env'], variables: readonly string[]): { variable: string; key: string } | null {
  for (const variable of variables) {
    const key = env[variable]?.trim()
    if (key !== undefined && key !== '') return { variable, key }
  }
  return null
}

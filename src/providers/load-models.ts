import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { Connection } from './connect.ts'
import { hostedKinds } from './settings.ts'

/** Hands out models, and the options each of their requests carries. */
export interface Models {
  named(model: string): LanguageModelV4
  options(model: string): SharedV4ProviderOptions
}

/** Imports the one package a provider needs; the library reads no environment of its own. */
export async function loadModels(connection: Connection): Promise<Models> {
  const { httpFetch } = await import('./http-fetch.ts')
  const { name, kind, base_url } = connection
  const access = { baseURL: base_url, apiKey: connection.key ?? '', fetch: httpFetch }
  if (kind === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return { named: createAnthropic(access), options: () => ({}) }
  }
  if (kind === 'google') {
    const { createGoogle } = await import('@ai-sdk/google')
    return { named: createGoogle(access), options: () => ({}) }
  }
  if (kind === 'openai' && base_url === hostedKinds.openai.base_url) return openAiModels(access)
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const models = createOpenAICompatible({
    name,
    baseURL: base_url,
    ...(connection.key === null ? {} : { apiKey: connection.key }),
    fetch: httpFetch,
    includeUsage: true,
  })
  return { named: (model) => models.chatModel(model), options: (model) => (kind === 'openrouter' ? cachingFor(name, model) : {}) }
}

/** OpenAI's own wire hands its reasoning back sealed, which other servers do not know; asked not to keep the thread, it keeps nothing. */
export async function openAiModels(access: { baseURL: string; apiKey: string; fetch: typeof fetch }): Promise<Models> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  return { named: createOpenAI(access), options: () => ({ openai: { store: false } }) }
}

/** Anthropic models cache only what is marked; OpenRouter sets the marks itself when asked to. */
function cachingFor(name: string, model: string): SharedV4ProviderOptions {
  return model.startsWith('anthropic/') ? { [name]: { cache_control: { type: 'ephemeral' } } } : {}
}

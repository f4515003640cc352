import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { remember } from '../../domain/remember.ts'
import type { ProviderConnection } from '../connect.ts'
import type { Wire } from './wire.ts'

/** Hands out models, and the options each of their requests carries. */
export interface Models {
  named(model: string): LanguageModelV4
  options(model: string): SharedV4ProviderOptions
}

/** Whom the library is asked to speak to. */
export type LibraryConnection = ProviderConnection & { api: 'anthropic' | 'google' | 'responses' }

/** A wire of the library's. */
export function libraryWire(models: Models): Wire {
  const known = new Map<string, LanguageModelV4>()
  return async (call, take) => {
    const model = remember(known, call.model, () => models.named(call.model))
    const { stream } = await model.doStream({ ...call, providerOptions: models.options(call.model) })
    for await (const part of stream) take(part)
  }
}

/** Imports the one package a provider needs; the library reads no environment of its own. */
export async function loadModels({ api, ...connection }: LibraryConnection): Promise<Models> {
  const { httpFetch } = await import('./http-fetch.ts')
  const access = { baseURL: connection.base_url, apiKey: connection.key ?? '', fetch: httpFetch(connection.silence) }
  if (api === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return { named: createAnthropic(access), options: () => ({}) }
  }
  if (api === 'responses') return openAiModels(access)
  const { createGoogle } = await import('@ai-sdk/google')
  return { named: createGoogle(access), options: () => ({}) }
}

/** OpenAI's own wire hands its reasoning back sealed, which other servers do not know; asked not to keep the thread, it keeps nothing. */
async function openAiModels(access: { baseURL: string; apiKey: string; fetch: typeof fetch }): Promise<Models> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  return { named: createOpenAI(access), options: () => ({ openai: { store: false } }) }
}

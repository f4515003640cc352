import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { remember } from '../../domain/remember.ts'
import type { ProviderConnection } from '../connect.ts'
import type { Wire, WireCall } from './wire.ts'

/** Hands out models, and the options each of their requests carries. */
export interface Models {
  named(model: string): LanguageModelV4
  options(call: WireCall): SharedV4ProviderOptions
}

/** Whom the library is asked to speak to. */
export type LibraryConnection = ProviderConnection & { api: 'anthropic' | 'google' | 'responses' }

/** A wire of the library's. */
export function libraryWire(models: Models): Wire {
  const known = new Map<string, LanguageModelV4>()
  return async (call, take) => {
    const model = remember(known, call.model, () => models.named(call.model))
    const { stream } = await model.doStream({ ...call, providerOptions: models.options(call) })
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
  if (api === 'responses') return openAiModels(access, connection)
  const { createGoogle } = await import('@ai-sdk/google')
  return { named: createGoogle(access), options: googleOptions }
}

/** Gemini thinks in silence unless asked for its thoughts. */
function googleOptions({ reasoning }: WireCall): SharedV4ProviderOptions {
  return reasoning === undefined || reasoning === 'none' ? {} : { google: { thinkingConfig: { includeThoughts: true } } }
}

type Access = { baseURL: string; apiKey: string; fetch: typeof fetch }

/** OpenAI hands its reasoning back sealed; asked not to keep the thread, it keeps nothing. Which models of another server think nobody knows but who asks them to. */
async function openAiModels(access: Access, { kind, service_tier }: Pick<ProviderConnection, 'kind' | 'service_tier'>): Promise<Models> {
  const { createOpenAI } = await import('@ai-sdk/openai')
  const options = ({ reasoning, cacheKey }: WireCall) => {
    const thinks = reasoning !== undefined && reasoning !== 'none'
    return {
      openai: {
        store: false,
        ...(cacheKey !== undefined && { promptCacheKey: cacheKey }),
        ...(service_tier !== null && { serviceTier: service_tier }),
        ...(thinks && { reasoningSummary: 'auto' }),
        ...(thinks && kind !== 'openai' && { forceReasoning: true }),
      },
    }
  }
  return { named: createOpenAI(access), options }
}

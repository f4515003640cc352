import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { HostedName } from './settings.ts'

/** Whom to speak to and how. */
export interface Wire {
  name: string
  wire: HostedName | 'compatible'
  base_url: string
  key: string | null
}

/** Imports the one package a wire needs and hands out its models; the library reads no environment of its own. */
export async function loadModels({ name, wire, base_url: baseURL, key }: Wire): Promise<(model: string) => LanguageModelV4> {
  const { httpFetch: fetch } = await import('./http-fetch.ts')
  if (wire === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ baseURL, apiKey: key ?? '', fetch })
  }
  if (wire === 'google') {
    const { createGoogle } = await import('@ai-sdk/google')
    return createGoogle({ baseURL, apiKey: key ?? '', fetch })
  }
  if (wire === 'openai') {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ baseURL, apiKey: key ?? '', fetch })
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  const models = createOpenAICompatible({ name, baseURL, ...(key === null ? {} : { apiKey: key }), fetch, includeUsage: true })
  return (model) => models.chatModel(model)
}

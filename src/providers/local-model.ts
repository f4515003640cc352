import * as z from 'zod'
import type { AttachmentKind } from '../domain/attachment.ts'
import type { ProviderConnection } from './connect.ts'
import { httpFetch } from './wire/http-fetch.ts'

/** What a server of the user's own says of a model it serves; null where it does not say. */
export interface LearnedModel {
  context_window: number | null
  tools: boolean | null
  takes: readonly AttachmentKind[] | null
}

/** A run must not wait for a server that does not know these addresses and keeps silent. */
const ANSWER_WITHIN_MS = 1_000

const fetchSoon = httpFetch({ first_ms: ANSWER_WITHIN_MS, between_ms: ANSWER_WITHIN_MS })

const Size = z.int().positive()
const VllmModels = z.object({ data: z.array(z.object({ id: z.string(), max_model_len: Size.nullish() })) })
const LmStudioModels = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      type: z.string().nullish(),
      loaded_context_length: Size.nullish(),
      capabilities: z.array(z.string()).nullish(),
    }),
  ),
})
const LlamaProps = z.object({
  default_generation_settings: z.object({ n_ctx: Size.nullish() }).nullish(),
  modalities: z.object({ vision: z.boolean().nullish() }).nullish(),
})
const OllamaModel = z.object({ capabilities: z.array(z.string()).nullish(), parameters: z.string().nullish() })
const OllamaLoaded = z.object({ models: z.array(z.object({ model: z.string(), context_length: Size.nullish() })) })

/** Asks vLLM, LM Studio, llama.cpp and Ollama in their own ways at once; whoever is there answers one of them. */
export async function learnModel(connection: Pick<ProviderConnection, 'base_url' | 'key'>, model: string): Promise<LearnedModel> {
  const root = connection.base_url.replace(/\/v\d+$/, '')
  const ask = asker(connection)
  const [vllm, studio, llama, ollama, loaded] = await Promise.all([
    ask(VllmModels, `${connection.base_url}/models`),
    ask(LmStudioModels, `${root}/api/v0/models`),
    ask(LlamaProps, `${root}/props`),
    ask(OllamaModel, `${root}/api/show`, { model }),
    ask(OllamaLoaded, `${root}/api/ps`),
  ])
  const ofStudio = studio?.data.find(({ id }) => id === model)
  const sizes = [
    loaded?.models.find((one) => one.model === model || one.model === `${model}:latest`)?.context_length,
    Number(/^num_ctx\s+(\d+)/m.exec(ollama?.parameters ?? '')?.[1] ?? 0) || null,
    ofStudio?.loaded_context_length,
    llama?.default_generation_settings?.n_ctx,
    vllm?.data.find(({ id }) => id === model)?.max_model_len,
  ]
  const able = ollama?.capabilities ?? ofStudio?.capabilities ?? null
  const sees = able?.includes('vision') === true || ofStudio?.type === 'vlm' || llama?.modalities?.vision === true
  return {
    context_window: sizes.find((size) => typeof size === 'number') ?? null,
    tools: able === null ? null : able.some((one) => one === 'tools' || one === 'tool_use'),
    takes: sees ? ['image'] : null,
  }
}

/** One question to a server; null where it does not know the address, or answers something else. */
function asker({ key }: Pick<ProviderConnection, 'key'>) {
  const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
  return async <T>(schema: z.ZodType<T>, url: string, body?: object): Promise<T | null> => {
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
      const response = await fetchSoon(url, { signal, headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
      return response.ok ? (schema.safeParse(await response.json()).data ?? null) : null
    } catch {
      return null // nobody there, or somebody else: nothing is learned
    }
  }
}

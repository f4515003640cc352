import * as z from 'zod'
import { httpFetch } from './wire/http-fetch.ts'
import { localServers } from './settings.ts'

/** A model server found listening on this machine. */
export interface LocalServer {
  name: string
  base_url: string
  models: string[]
}

/** Start-up must not wait for a port that swallows requests. */
const ANSWER_WITHIN_MS = 300

const ask = httpFetch({ first_ms: ANSWER_WITHIN_MS, between_ms: ANSWER_WITHIN_MS })

const ModelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Looks where Ollama, LM Studio and vLLM usually listen; whatever does not answer as a model server is passed over. */
export async function findLocalServers(addresses: Readonly<Record<string, string>> = localServers): Promise<LocalServer[]> {
  const found = await Promise.all(Object.entries(addresses).map(([name, base_url]) => look(name, base_url)))
  return found.filter((server) => server !== null)
}

async function look(name: string, base_url: string): Promise<LocalServer | null> {
  try {
    const response = await ask(`${base_url}/models`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    const { data } = ModelList.parse(await response.json())
    return { name, base_url, models: data.map((model) => model.id) }
  } catch {
    return null // nobody there, or somebody else: both mean there is nothing to offer
  }
}

import type { TestContext } from 'node:test'
import { hostedProvider } from '../src/providers/hosted.ts'
import { httpFetch } from '../src/providers/wire/http-fetch.ts'
import { libraryWire, openAiModels } from '../src/providers/wire/library-wire.ts'
import { openProvider } from '../src/providers/open.ts'
import type { Provider } from '../src/providers/provider.ts'
import { defaultRetry } from '../src/providers/retry.ts'
import { startModelServer, type ModelServer, type ModelServerOptions } from './model-server.ts'

export const wireNames = ['openai', 'anthropic', 'google', 'openrouter', 'own', 'responses'] as const
export type WireName = (typeof wireNames)[number]

/** A provider set up by environment alone, and the loopback server it speaks to. */
export async function openWire(
  t: TestContext,
  wire: WireName,
  options: ModelServerOptions,
): Promise<{ server: ModelServer; provider: Provider }> {
  const server = await startModelServer(options)
  t.after(() => server.close())
  if (wire === 'responses') return { server, provider: responsesProvider(server) }
  const env = {
    OPENAI_API_KEY: 'k-openai',
    OPENAI_BASE_URL: `${server.url}/v1`,
    ANTHROPIC_API_KEY: 'k-anthropic',
    ANTHROPIC_BASE_URL: server.url,
    GEMINI_API_KEY: 'k-google',
    GOOGLE_GEMINI_BASE_URL: server.url,
    OPENROUTER_API_KEY: 'k-openrouter',
    OPENROUTER_BASE_URL: `${server.url}/api/v1`,
  }
  const providers = { own: { kind: 'openai-compatible' as const, base_url: `${server.url}/v1` } }
  return { server, provider: await openProvider(wire, { env, providers, retry: { base_ms: 1, cap_ms: 5 } }) }
}

/** OpenAI's own address speaks another wire than compatible servers do; here that wire is pointed at the loopback server. */
function responsesProvider(server: ModelServer): Provider {
  const base_url = `${server.url}/v1`
  return hostedProvider({
    connection: { name: 'openai', kind: 'openai', base_url, key: 'k', key_variable: 'OPENAI_API_KEY', context_window: null },
    load: async () => libraryWire(await openAiModels({ baseURL: base_url, apiKey: 'k', fetch: httpFetch })),
    cost: () => Promise.resolve(null),
    retry: { ...defaultRetry, base_ms: 1, cap_ms: 5 },
  })
}

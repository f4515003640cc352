import type { TestContext } from 'node:test'
import { openProvider } from '../src/providers/open.ts'
import type { Provider } from '../src/providers/provider.ts'
import type { NamedProvider } from '../src/providers/settings.ts'
import { startModelServer, type ModelServer, type ModelServerOptions } from './model-server.ts'

export const wireNames = ['openai', 'anthropic', 'google', 'openrouter', 'own', 'responses'] as const
export type WireName = (typeof wireNames)[number]

/** A provider set up by environment alone, and the loopback server it speaks to. */
export async function openWire(
  t: TestContext,
  wire: WireName,
  options: ModelServerOptions,
  own?: Partial<NamedProvider>,
): Promise<{ server: ModelServer; provider: Provider }> {
  const server = await startModelServer(options)
  t.after(() => server.close())
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
  const base_url = `${server.url}/v1`
  const providers: Record<string, NamedProvider> = {
    own: { kind: 'openai-compatible', base_url, ...own },
    responses: { kind: 'openai-compatible', base_url, api: 'responses', ...own },
  }
  if (own !== undefined && !(wire in providers)) providers[wire] = { kind: kindOf(wire), ...own }
  return { server, provider: await openProvider(wire, { env, providers, retry: { base_ms: 1, cap_ms: 5 } }) }
}

function kindOf(wire: WireName): NamedProvider['kind'] {
  return wire === 'own' || wire === 'responses' ? 'openai-compatible' : wire
}

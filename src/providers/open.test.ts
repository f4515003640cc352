import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { listenHere } from '../sandbox/test-surroundings.ts'
import { aRequest, never } from './test-entries.ts'
import { startModelServer } from '../../tests/model-server.ts'
import { openWire } from '../../tests/open-wire.ts'
import { connectProvider } from './connect.ts'
import { costMicrousd } from './cost.ts'
import { findLocalServers } from './local-servers.ts'
import { defaultModel, openProvider, resolveModel } from './open.ts'
import { localServers } from './settings.ts'

test('[A17] a turn is priced in whole micro-dollars, cheaper when read from the cache and dearer when written to it', async () => {
  const tokens = { input_tokens: 1000, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1000 }

  const plain = await costMicrousd('anthropic', 'claude-sonnet-4-5', tokens)
  const cached = await costMicrousd('anthropic', 'claude-sonnet-4-5', { ...tokens, cached_input_tokens: 1000 })
  const written = await costMicrousd('anthropic', 'claude-sonnet-4-5', { ...tokens, cache_write_tokens: 1000 })

  assert.deepEqual([plain, cached, written], [18_000, 15_300, 18_750])
})

test('[A17] a model whose price nobody knows costs null, never nothing', async (t) => {
  const known = await openWire(t, 'openai', {})
  const own = await openWire(t, 'own', {})

  const costs = [
    (await known.provider.ask(aRequest({ model: 'gpt-4o-mini' }), never)).usage.cost_microusd,
    (await known.provider.ask(aRequest({ model: 'no-such-model' }), never)).usage.cost_microusd,
    (await own.provider.ask(aRequest({ model: 'gpt-4o-mini' }), never)).usage.cost_microusd,
  ]

  assert.deepEqual(costs, [5, null, null])
})

test('[A18] the context size is what the user configured, else that of the model family, else unknown', async () => {
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }
  const providers = {
    own: { kind: 'openai-compatible' as const, base_url: 'http://127.0.0.1:1/v1' },
    anthropic: { kind: 'anthropic' as const, context_window: 1000 },
  }
  const sizeOf = async (name: string, model: string) => (await openProvider(name, { env, providers })).contextWindow(model)

  const sizes = [
    await sizeOf('openai', 'gpt-5-mini'),
    await sizeOf('openai', 'unheard-of'),
    await sizeOf('own', 'gpt-5'),
    await sizeOf('anthropic', 'claude-sonnet-5'),
  ]

  assert.deepEqual(sizes, [400_000, null, null, 1000])
})

test('[A19] a missing key, an unknown provider and a name without a model are refused with what would be right', async () => {
  const settings = {
    env: { OPENAI_API_KEY: '  ', OTHER: '' },
    providers: {
      work: { kind: 'anthropic' as const, api_key_env: 'WORK_KEY' },
      bare: { kind: 'openai-compatible' as const },
      played: { kind: 'scripted' as const },
    },
  }

  const refused = (name: string) => assert.rejects.bind(null, resolveModel(name, settings))

  await refused('openai/gpt-5')({ code: 'provider_refused', message: /set OPENAI_API_KEY/ })
  await refused('google/gemini-2.5-pro')({ code: 'provider_refused', message: /set GEMINI_API_KEY/ })
  await refused('work/claude')({ code: 'provider_refused', message: /work needs a key: set WORK_KEY/ })
  await refused('nobody/x')({
    code: 'bad_input',
    message:
      /no provider "nobody"; known are anthropic, openai, google, openrouter, xai, deepseek, mistral, qwen, moonshot, ollama, lmstudio, vllm, work/,
  })
  await refused('house-model')({ code: 'bad_input', message: /no provider is known for the model "house-model"; write provider\/model/ })
  await refused('grok-code-fast-1')({ code: 'provider_refused', message: /xai needs a key: set XAI_API_KEY/ })
  await refused('openai/')({ code: 'bad_input', message: /is not a model name/ })
  await refused('bare/x')({ code: 'bad_input', message: /needs a base_url/ })
  await refused('played/x')({ code: 'bad_input', message: /scripted:FILE/ })
  await refused('scripted:')({ code: 'bad_input' })
})

test('[A20] keys and addresses come from the usual variables, and a bare host gets the version it needs', () => {
  const env = {
    OPENAI_API_KEY: 'o',
    OPENAI_BASE_URL: 'http://localhost:9/v1/',
    ANTHROPIC_API_KEY: 'a',
    ANTHROPIC_BASE_URL: 'https://proxy.example/anthropic',
    GOOGLE_API_KEY: 'g',
    GOOGLE_GEMINI_BASE_URL: 'http://localhost:9',
    OPENROUTER_API_KEY: 'r',
  }
  const addressOf = (name: string) =>
    connectProvider(name, {
      env,
      providers: { mine: { kind: 'openai', base_url: 'https://mine.example', api_key_env: 'OPENROUTER_API_KEY' } },
    })

  const found = ['openai', 'anthropic', 'google', 'openrouter', 'mine', 'ollama'].map(addressOf)

  assert.deepEqual(rowsOf(found, 'base_url', 'key'), [
    ['http://localhost:9/v1', 'o'],
    ['https://proxy.example/anthropic/v1', 'a'],
    ['http://localhost:9/v1beta', 'g'],
    ['https://openrouter.ai/api/v1', 'r'],
    ['https://mine.example/v1', 'r'],
    [localServers.ollama, null],
  ])
  assert.throws(() => connectProvider('openai', { env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'localhost:9' } }), {
    code: 'bad_input',
    message: /write http:/,
  })
})

test('[A20] a server that refuses to be asked for its usage is not asked for it', async (t) => {
  const { server, url } = await startModelServer().then((started) => ({ server: started, url: started.url }))
  t.after(() => server.close())
  const env = { MISTRAL_API_KEY: 'm', MISTRAL_BASE_URL: url, XAI_API_KEY: 'x', XAI_BASE_URL: url }

  for (const name of ['mistral-large-latest', 'grok-code-fast-1']) {
    const { provider, model } = await resolveModel(name, { env })
    await provider.ask(aRequest({ model }), never)
  }

  assert.deepEqual(
    server.requests.map(({ path, body }) => [path, body['model'], 'stream_options' in body]),
    [
      ['/v1/chat/completions', 'mistral-large-latest', false],
      ['/v1/chat/completions', 'grok-code-fast-1', true],
    ],
  )
})

test('[A20] the key travels in the header its provider reads', async (t) => {
  const headersOf = async (wire: 'openai' | 'anthropic' | 'google' | 'own') => {
    const { server, provider } = await openWire(t, wire, {})
    await provider.ask(aRequest(), never)
    return server.requests[0]?.headers ?? {}
  }

  const [openai, anthropic, google, own] = await Promise.all([
    headersOf('openai'),
    headersOf('anthropic'),
    headersOf('google'),
    headersOf('own'),
  ])

  assert.deepEqual(
    [openai['authorization'], anthropic['x-api-key'], google['x-goog-api-key'], own['authorization']],
    ['Bearer k-openai', 'k-anthropic', 'k-google', undefined],
  )
})

test('[A21] `default` is the configured model, else that of the first key found, else the rehearsal', async () => {
  const settings = [
    { env: { OPENAI_API_KEY: 'k' }, model: 'ollama/qwen3' },
    { env: { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' } },
    { env: {}, model: null },
  ]

  const names = settings.map(defaultModel)
  const { provider } = await resolveModel('default', { env: {} })

  assert.deepEqual(names, ['ollama/qwen3', 'openai/gpt-5', 'rehearsal'])
  assert.equal(provider.name, 'rehearsal')
})

test('[A22] a model server on this machine is found with its models; a silent or foreign one is passed over', async (t) => {
  const server = await startModelServer()
  t.after(() => server.close())
  const port = await listenHere(t, net.createServer()) // it answers nothing

  const found = await findLocalServers({
    ollama: `${server.url}/v1`,
    vllm: `http://127.0.0.1:${port}/v1`,
    lmstudio: `${server.url}/elsewhere`,
  })

  assert.deepEqual(found, [{ name: 'ollama', base_url: `${server.url}/v1`, models: ['loopback'] }])
})

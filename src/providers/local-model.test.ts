import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { learnModel } from './local-model.ts'
import { openProvider } from './open.ts'
import type { NamedProvider } from './settings.ts'
import { aRequest, never } from './test-entries.ts'

const nothing = { context_window: null, tools: null, takes: null }

test('[A135] what Ollama, LM Studio, llama.cpp and vLLM tell of a model is learned: its room, and whether it takes tools and images', async (t) => {
  const ollama = {
    '/api/show': {
      capabilities: ['completion', 'tools', 'vision'],
      parameters: 'num_ctx                        8192\nstop "x"',
      model_info: {},
    },
    '/api/ps': { models: [{ model: 'qwen3:latest', context_length: 4_096 }] },
  }
  const studio = {
    '/api/v0/models': {
      data: [{ id: 'qwen3', type: 'llm', loaded_context_length: 32_768, max_context_length: 131_072, capabilities: [] }],
    },
  }
  const llama = { '/props': { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: false } } }
  const vllm = { '/v1/models': { data: [{ id: 'qwen3', max_model_len: 65_536 }] } }

  const [loaded, unloaded, ofStudio, ofLlama, ofVllm, ofOther] = await Promise.all(
    [ollama, { '/api/show': ollama['/api/show'] }, studio, llama, vllm, {}].map((says) => learnedFrom(t, says)),
  )

  assert.deepEqual(loaded, { context_window: 4_096, tools: true, takes: ['image'] })
  assert.equal(unloaded?.context_window, 8_192)
  assert.deepEqual(ofStudio, { ...nothing, context_window: 32_768, tools: false })
  assert.deepEqual(ofLlama, { ...nothing, context_window: 16_384 })
  assert.deepEqual(ofVllm, { ...nothing, context_window: 65_536 })
  assert.deepEqual(ofOther, nothing)
})

test('[A135] a server that answers something else, or is not there, teaches nothing and is no fault', async (t) => {
  const odd = { '/api/show': { capabilities: 'all' }, '/props': 'hello', '/v1/models': { data: [{ id: 'qwen3', max_model_len: -1 }] } }

  assert.deepEqual(await learnedFrom(t, odd), nothing)
  assert.deepEqual(await learnModel({ base_url: 'http://127.0.0.1:1/v1', key: null }, 'qwen3'), nothing)
})

test('[A135] before a run its model is known, what the user configured counts before, and one without tools is not asked', async (t) => {
  const base_url = await serverSaying(t, { '/api/show': { capabilities: ['completion'], parameters: 'num_ctx 8192' } })
  const open = (own: Partial<NamedProvider>) =>
    openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url, ...own } } })
  const [provider, configured] = [await open({}), await open({ context_window: 1_000 })]

  await Promise.all([provider.learn?.('qwen3'), configured.learn?.('qwen3')])

  assert.deepEqual([provider.contextWindow('qwen3'), configured.contextWindow('qwen3')], [8_192, 1_000])
  const asked = aRequest({ model: 'qwen3', tools: [{ name: 'look', description: 'Look.', input_schema: {} }] })
  await assert.rejects(provider.ask(asked, never), { code: 'provider_refused', message: /cannot call tools/ })
})

async function learnedFrom(t: TestContext, says: Says) {
  return learnModel({ base_url: await serverSaying(t, says), key: null }, 'qwen3')
}

type Says = Readonly<Record<string, unknown>>

async function serverSaying(t: TestContext, says: Says): Promise<string> {
  const server = http.createServer((request, response) => {
    void json(request)
      .catch(() => null)
      .then(() => {
        const answer = says[request.url ?? '']
        response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer ?? { error: 'no such path' }))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` // it listens
}

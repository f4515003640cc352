import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import type { Reasoning } from '../../domain/reasoning.ts'
import { data } from '../../../tests/wires/wire.ts'
import { openWire, wireNames, type WireName } from '../../../tests/open-wire.ts'
import { openProvider } from '../open.ts'
import type { HostedKindName } from '../settings.ts'
import { listItems, objectFields } from './json-fields.ts'
import { aRequest, assistant, never, user } from '../test-entries.ts'

type Body = Record<string, unknown>

const models: Record<WireName, string> = {
  openai: 'gpt-5',
  anthropic: 'claude-opus-4-6',
  google: 'gemini-3-pro-preview',
  openrouter: 'anthropic/claude-opus-4.6',
  own: 'qwen3',
  responses: 'my-model',
}

/** The part of a body that says how long to think, as each wire has it. */
const sent: Record<WireName, (effort: Reasoning) => Body> = {
  openai: (effort) => ({ reasoning_effort: effort }),
  own: (effort) => ({ reasoning_effort: effort }),
  openrouter: (effort) => ({ reasoning: { effort } }),
  anthropic: (effort) => ({ thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } }),
  google: (effort) => ({ generationConfig: { thinkingConfig: { thinkingLevel: effort, includeThoughts: true } } }),
  responses: (effort) => ({ reasoning: { effort, summary: 'auto' } }),
}

for (const wire of wireNames) {
  test(`[A121] over the ${wire} wire a model is told how long to think, and nothing where nobody said`, async (t) => {
    const { server, provider } = await openWire(t, wire, {})
    const model = models[wire]

    await provider.ask(aRequest({ model, reasoning: 'low' }), never)
    await provider.ask(aRequest({ model, reasoning: 'high' }), never)
    await provider.ask(aRequest({ model }), never)

    const [low = {}, high = {}, unsaid = {}] = server.requests.map(({ body }) => body)
    const names = Object.keys(sent[wire]('low'))
    assert.deepEqual(only(low, names), sent[wire]('low'))
    assert.deepEqual(only(high, names), sent[wire]('high'))
    assert.doesNotMatch(JSON.stringify(only(unsaid, names)), /effort|thinking/i)
  })

  test(`[A122] over the ${wire} wire thoughts are handed on as they come, kept beside the reply, and go back only as the wire wants them`, async (t) => {
    const { server, provider } = await openWire(t, wire, { replies: [{ text: 'Four.', reasoning: 'Two and two.' }, { text: 'Yes.' }] })
    const model = models[wire]
    const [thought, said]: [string[], string[]] = [[], []]

    const watch = { onThought: (delta: string) => thought.push(delta), onText: (delta: string) => said.push(delta) }
    const reply = await provider.ask(aRequest({ model, reasoning: 'high' }), never, watch)
    const entries = [user('Go.'), assistant(reply.text, [], reply.provider_data), user('Sure?')]
    await provider.ask(aRequest({ model, entries, reasoning: 'high' }), never)

    assert.deepEqual([reply.thoughts, thought.join(''), said.join('')], ['Two and two.', 'Two and two.', 'Four.'])
    const back = JSON.stringify(server.requests[1]?.body)
    if (wire !== 'responses') assert.doesNotMatch(back, /"(text|content)":"Two and two\.(?!"[^}]*"thought":true)/)
    if (wire === 'responses') assert.match(back, /"encrypted_content":"sealed_1","summary":\[{"type":"summary_text"/)
    if (wire === 'anthropic') assert.match(back, /"thinking":"Two and two\.","signature":"signed_1"/)
    if (wire === 'own') assert.match(back, /"reasoning_content":"Two and two\."/)
  })
}

function only(body: Body, names: readonly string[]): Body {
  return Object.fromEntries(names.filter((name) => name in body).map((name) => [name, body[name]]))
}

test('[A121] an older Claude gets a budget, and thinking can be turned off', async (t) => {
  const { server, provider } = await openWire(t, 'anthropic', {})

  await provider.ask(aRequest({ model: 'claude-sonnet-4-5', reasoning: 'low' }), never)
  await provider.ask(aRequest({ model: 'claude-sonnet-4-5', reasoning: 'none' }), never)

  const [budgeted, off] = server.requests.map(({ body }) => body['thinking'] as { type: string; budget_tokens?: number })
  assert.equal(budgeted?.type, 'enabled')
  assert.ok((budgeted?.budget_tokens ?? 0) >= 1024)
  assert.deepEqual(off, { type: 'disabled' })
})

test('[A121] servers with words of their own for thinking are spoken to in them', async (t) => {
  const bodyFor = async (kind: HostedKindName, reasoning: Reasoning) => {
    const { url, bodies } = await plainServer(t, [])
    const provider = await openProvider('own', { env: { K: 'k' }, providers: { own: { kind, base_url: url, api_key_env: 'K' } } })
    await provider.ask(aRequest({ model: 'm', reasoning }), never)
    const { thinking, reasoning_effort, enable_thinking } = bodies[0] ?? {}
    return { thinking, reasoning_effort, enable_thinking }
  }
  const unsaid = { thinking: undefined, reasoning_effort: undefined, enable_thinking: undefined }

  const enabled = { type: 'enabled' }
  assert.deepEqual(await bodyFor('deepseek', 'low'), { ...unsaid, thinking: enabled, reasoning_effort: 'low' })
  assert.deepEqual(await bodyFor('deepseek', 'none'), { ...unsaid, thinking: { type: 'disabled' } })
  assert.deepEqual(await bodyFor('moonshot', 'high'), { ...unsaid, thinking: enabled })
  assert.deepEqual(await bodyFor('qwen', 'medium'), { ...unsaid, enable_thinking: true })
  assert.deepEqual(await bodyFor('mistral', 'medium'), { ...unsaid, reasoning_effort: 'high' })
})

test('[A121] a model that cannot be told how long to think is asked without, and the reason is told', async (t) => {
  const heard: string[] = []
  const { server, provider } = await openWire(t, 'openai', {})

  await provider.ask(aRequest({ model: 'gpt-4o', reasoning: 'high' }), never, { onIgnored: (reason) => heard.push(reason) })

  assert.equal(server.requests[0]?.body['reasoning_effort'], undefined)
  assert.match(heard.join(), /gpt-4o/)
})

test("[A123] OpenRouter's own cost counts, and its reasoning details go back as they came", async (t) => {
  const details = [
    { type: 'reasoning.text', text: 'Two ', index: 0, format: 'anthropic-claude-v1' },
    { type: 'reasoning.text', text: 'and two.', index: 0 },
    { type: 'reasoning.text', text: '', signature: 'signed', index: 0 },
    { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
  ]
  const { url, bodies } = await plainServer(t, [
    ...details.map((detail) => ({ choices: [{ delta: { reasoning: detail.text ?? '', reasoning_details: [detail] } }] })),
    { choices: [{ delta: { content: 'Four.' }, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, cost: 0.0246 } },
  ])
  const provider = await openProvider('openrouter', { env: { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: url } })
  const model = 'anthropic/claude-sonnet-4.5'

  const reply = await provider.ask(aRequest({ model }), never)
  await provider.ask(aRequest({ model, entries: [user('Go.'), assistant(reply.text, [], reply.provider_data), user('Sure?')] }), never)

  assert.deepEqual([reply.thoughts, reply.usage.cost_microusd, reply.usage.estimated], ['Two and two.', 24_600, undefined])
  const back = listItems(bodies[1]?.['messages'])
    .map(objectFields)
    .find(({ role }) => role === 'assistant')
  assert.deepEqual(back, {
    role: 'assistant',
    content: 'Four.',
    reasoning_details: [
      { type: 'reasoning.text', text: 'Two and two.', signature: 'signed', index: 0, format: 'anthropic-claude-v1' },
      { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
    ],
  })
})

test('[A124] requests of one thread share a cache key where OpenAI is spoken to, and the tier a user set goes along', async (t) => {
  const sentTo = async (wire: WireName, own?: { service_tier: 'flex' }) => {
    const { server, provider } = await openWire(t, wire, {}, own)
    await provider.ask(aRequest({ model: 'gpt-5', cache_key: 'thread_1' }), never)
    const { prompt_cache_key, service_tier } = server.requests[0]?.body ?? {}
    return [prompt_cache_key, service_tier]
  }

  assert.deepEqual(await sentTo('responses', { service_tier: 'flex' }), ['thread_1', 'flex'])
  assert.deepEqual(await sentTo('openai', { service_tier: 'flex' }), ['thread_1', 'flex'])
  assert.deepEqual(await sentTo('openai'), ['thread_1', undefined])
  assert.deepEqual(await sentTo('own', { service_tier: 'flex' }), [undefined, 'flex'])
  assert.deepEqual(await sentTo('own'), [undefined, undefined])
})

/** A server that answers every request with these events. */
async function plainServer(t: TestContext, events: readonly object[]): Promise<{ url: string; bodies: Body[] }> {
  const bodies: Body[] = []
  const done = { choices: [{ delta: { content: 'Done.' }, finish_reason: 'stop' }] }
  const server = http.createServer((request, response) => {
    void json(request).then((body) => {
      bodies.push(body as Body) // every wire sends an object
      response.setHeader('content-type', 'text/event-stream')
      response.end([...(events.length > 0 ? events : [done]).map(data), 'data: [DONE]\n\n'].join(''))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return { url: `http://127.0.0.1:${port}/v1`, bodies }
}

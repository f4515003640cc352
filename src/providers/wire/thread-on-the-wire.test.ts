import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest, assistant, never, note, readFileSpec, tool, user } from '../test-entries.ts'
import { openWire } from '../../../tests/open-wire.ts'
import { promptFrom } from '../prompt.ts'

const call = { id: 'c1', tool: 'read_file', input: { path: 'a' } }

test('[A7] a call without an answer is told to the model as interrupted, so that no provider refuses the thread', async (t) => {
  const { server, provider } = await openWire(t, 'own', {})
  const second = { ...call, id: 'c2' }
  const entries = [user('Go.'), assistant('', [call, second]), tool(second, '', 'running'), user('What happened?')]

  await provider.ask(aRequest({ entries }), never)

  assert.deepEqual(server.requests[0]?.body['messages'], [
    { role: 'system', content: 'You are the Actor.' },
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: ['c1', 'c2'].map((id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"a"}' } })),
    },
    { role: 'tool', tool_call_id: 'c1', content: 'Interrupted: no answer of this call was recorded. It may or may not have happened.' },
    { role: 'tool', tool_call_id: 'c2', content: 'Interrupted: the call had started and no end of it was recorded.' },
    { role: 'user', content: 'What happened?' },
  ])
})

test('[A8] calls that were given new ids go back under these, beside the reasoning that led to them', async (t) => {
  const { server, provider } = await openWire(t, 'anthropic', {
    replies: [
      {
        calls: [
          { ...call, input: {} },
          { ...call, input: {} },
        ],
        reasoning: 'Once more.',
      },
      { text: 'ok' },
    ],
  })
  const entries = [user('Go.'), assistant('', [call]), tool(call, 'A')]

  const reply = await provider.ask(aRequest({ entries }), never)
  const renamed = reply.calls.map((each, at) => ({ ...each, id: `c1_${at + 2}` }))
  const answers = renamed.map((each) => tool(each, `for ${each.id}`))
  await provider.ask(aRequest({ entries: [...entries, assistant(reply.text, renamed, reply.provider_data), ...answers] }), never)

  const sent = JSON.stringify(server.requests[1]?.body)
  for (const id of ['c1_2', 'c1_3'])
    assert.match(sent, new RegExp(`"type":"tool_use","id":"${id}"[^]*"tool_use_id":"${id}","content":"for ${id}"`))
})

test('[A10] signed reasoning goes back to the provider it came from, before the call it led to', async (t) => {
  const { server, provider } = await openWire(t, 'anthropic', {
    replies: [{ reasoning: 'Let me look.', text: 'I look.', calls: [call] }, { text: 'ok' }],
  })

  const reply = await provider.ask(aRequest(), never)
  const stored: unknown = JSON.parse(JSON.stringify(reply.provider_data))
  await provider.ask(aRequest({ entries: [user('Go.'), assistant(reply.text, reply.calls, stored), tool(call, 'A')] }), never)

  const messages = server.requests[1]?.body['messages']
  assert.ok(Array.isArray(messages))
  assert.deepEqual(messages[1], {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Let me look.', signature: 'signed_1' },
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
    ],
  })
})

test('[A10] a thought signature of Google goes back with its call', async (t) => {
  const { server, provider } = await openWire(t, 'google', { replies: [{ reasoning: 'x', calls: [call] }, { text: 'ok' }] })

  const reply = await provider.ask(aRequest(), never)
  await provider.ask(
    aRequest({ entries: [user('Go.'), assistant('', reply.calls, reply.provider_data), ...reply.calls.map((each) => tool(each, 'A'))] }),
    never,
  )

  assert.match(JSON.stringify(server.requests[1]?.body), /"functionCall":\{[^}]*"args":\{"path":"a"\}\},"thoughtSignature":"signed_1"/)
})

test("[A10] another provider's reasoning is left out, and damaged provider data is no obstacle", async (t) => {
  const { server, provider } = await openWire(t, 'own', {})
  const foreign = {
    provider: 'anthropic',
    parts: [
      { type: 'reasoning', text: 'SECRET THOUGHT' },
      { type: 'call', at: 0 },
    ],
  }

  await provider.ask(
    aRequest({
      entries: [user('Go.'), assistant('Hm.', [call], foreign), tool(call, 'A'), assistant('Ha.', [], 'damaged'), user('Next.')],
    }),
    never,
  )

  const sent = JSON.stringify(server.requests[0]?.body)
  assert.doesNotMatch(sent, /SECRET THOUGHT/)
  assert.match(sent, /Hm\.[^]*"id":"c1"[^]*Ha\./)
})

test('[A11] Anthropic gets cache marks on the tools, the system text and the last two messages that are not its own', async (t) => {
  const { server, provider } = await openWire(t, 'anthropic', {})
  const entries = [user('First.'), assistant('One.'), user('Second.'), assistant('', [call]), tool(call, 'A')]

  await provider.ask(aRequest({ entries, tools: [{ ...readFileSpec, name: 'list_directory' }, readFileSpec] }), never)

  const body = server.requests[0]?.body ?? {}
  assert.equal(JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g)?.length, 4)
  assert.match(JSON.stringify(body['system']), /You are the Actor\.","cache_control"/)
  assert.match(JSON.stringify(body['tools']), /"name":"read_file"[^]*"cache_control"/)
  assert.match(JSON.stringify(body['messages']), /"text":"Second\.","cache_control"[^]*"tool_result"[^]*"cache_control"/)
})

test('[A11] OpenRouter is asked to cache for Anthropic models and left alone for others', async (t) => {
  const { server, provider } = await openWire(t, 'openrouter', {})

  await provider.ask(aRequest({ model: 'anthropic/claude-sonnet-4.5' }), never)
  await provider.ask(aRequest({ model: 'openai/gpt-5' }), never)

  assert.deepEqual(
    server.requests.map(({ body }) => body['cache_control']),
    [{ type: 'ephemeral' }, undefined],
  )
})

test('[A26] the turns of a thread share one connection', async (t) => {
  const { server, provider } = await openWire(t, 'own', {})

  for (let turn = 0; turn < 5; turn++) await provider.ask(aRequest(), never)

  assert.equal(server.connections(), 1)
})

test('[A27] an entry is converted once, however often its thread is sent', () => {
  const entries = [user('Go.'), assistant('One.', [call]), tool(call, 'A'), note('answer', 'Yes.')]

  const [first, second] = [promptFrom(aRequest({ entries }), 'x'), promptFrom(aRequest({ entries: [...entries, user('More.')] }), 'x')]

  const shared = first.filter((message) => message.role !== 'system' && message.role !== 'tool')
  assert.equal(shared.length, 3)
  for (const message of shared) assert.ok(second.includes(message))
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { aRequest, never } from './test-entries.ts'
import type { Problem } from '../domain/problem.ts'
import { openWire } from '../../tests/open-wire.ts'
import { startModelServer } from '../../tests/model-server.ts'
import { until } from '../sandbox/test-until.ts'
import { openProvider } from './open.ts'
import type { Retry } from './provider.ts'
import { retryAfterMs } from './retry.ts'

test('[A14] a wrong key that a server answers with 400 is told as a wrong key', async (t) => {
  const { provider } = await openWire(t, 'google', { replies: [{ fail: 400, said: 'API key not valid. Please pass a valid API key.' }] })

  await assert.rejects(provider.ask(aRequest(), never), { code: 'provider_refused', message: /Check the key/ })
})

for (const wire of ['own', 'anthropic', 'google', 'responses'] as const) {
  test(`[A12] over the ${wire} wire 500s and 429s are tried again until the server answers`, async (t) => {
    const { server, provider } = await openWire(t, wire, {
      replies: [
        { text: 'at last', fail: 500, times: 2 },
        { text: 'fine', fail: 429 },
      ],
    })
    const retries: Retry[] = []

    const replies = [
      await provider.ask(aRequest(), never, { onRetry: (retry) => retries.push(retry) }),
      await provider.ask(aRequest(), never),
    ]

    assert.deepEqual(each(replies, 'text'), ['at last', 'fine'])
    assert.deepEqual(each(retries, 'attempt'), [1, 2])
    assert.match(retries[0]?.reason ?? '', /answered 500: scripted status 500/)
    assert.equal(server.requests.length, 5)
  })

  for (const fail of ['cut', 'end'] as const) {
    test(`[A15] over the ${wire} wire a stream that breaks off by ${fail} is asked for again from the start of the turn`, async (t) => {
      const { provider } = await openWire(t, wire, { replies: [{ text: 'a reply of several words', fail }], chunk_chars: 4 })
      let seen = ''
      let voided = ''

      const onRetry = () => {
        voided = seen
        seen = ''
      }
      const reply = await provider.ask(aRequest(), never, { onText: (delta) => (seen += delta), onRetry })

      assert.equal(reply.text, 'a reply of several words')
      assert.equal(seen, reply.text)
      assert.ok(reply.text.startsWith(voided) && voided !== reply.text, `voided "${voided}"`)
    })
  }

  test(`[A16] over the ${wire} wire stopping closes the connection of a server that does not answer`, async (t) => {
    const { server, provider } = await openWire(t, wire, { replies: [{ fail: 'hang' }] })
    const stop = new AbortController()

    const asked = provider.ask(aRequest(), stop.signal)
    await until(() => server.requests.length === 1)
    stop.abort()

    await assert.rejects(asked, { code: 'stopped' })
    await until(() => server.requests[0]?.cut === true)
    assert.equal(server.requests.length, 1)
  })

  test(`[A16] over the ${wire} wire stopping closes the connection of a server that fell silent in its reply`, async (t) => {
    const { server, provider } = await openWire(t, wire, { replies: [{ text: 'half of it comes', fail: 'hang' }], chunk_chars: 4 })
    const stop = new AbortController()
    let seen = ''

    const asked = provider.ask(aRequest(), stop.signal, { onText: (delta) => (seen += delta) })
    await until(() => seen !== '')
    setTimeout(() => stop.abort(), 20)

    await assert.rejects(asked, { code: 'stopped' })
    await until(() => server.requests[0]?.cut === true)
  })

  test(`[A14] over the ${wire} wire a refused key is not tried again and says what to do`, async (t) => {
    const { server, provider } = await openWire(t, wire, { replies: [{ fail: 401, said: 'bad key' }] })

    const asked = provider.ask(aRequest(), never)

    await assert.rejects(asked, { code: 'provider_refused', message: /answered 401: bad key\. Check the key/ })
    assert.equal(server.requests.length, 1)
  })
}

test('[A14] a server that quotes the key it refuses does not get it into our words', async (t) => {
  const told = async (wire: 'openai' | 'anthropic', fail: number) => {
    const { provider } = await openWire(t, wire, { replies: [{ fail, said: `no such key k-${wire}` }] })
    return provider.ask(aRequest(), never).then(
      () => 'answered',
      (error: Problem) => error.message + JSON.stringify(error.details),
    )
  }

  const words = await Promise.all([told('openai', 401), told('anthropic', 401), told('openai', 400)])

  for (const said of words) assert.match(said, /no such key \[masked\]/)
  assert.ok(!words.some((said) => /k-openai|k-anthropic/.test(said)), words.join('\n'))
})

test('[A14] every refusal says what to do about it', async (t) => {
  const advice = {
    402: /Check the credit/,
    403: /Check the key/,
    404: /knows the model m/,
    422: /accepts tools/,
  }

  for (const [status, message] of Object.entries(advice)) {
    const { provider } = await openWire(t, 'own', { replies: [{ fail: Number(status), said: 'no' }] })
    await assert.rejects(provider.ask(aRequest(), never), { code: 'provider_refused', message })
  }
})

test('[A113] a request that is larger than the context is told apart from other refusals, in the words of every server', async (t) => {
  const words = [
    [413, 'request_too_large: Request exceeds the maximum size'],
    [
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens. context_length_exceeded",
    ],
    [400, 'prompt is too long: 210000 tokens > 200000 maximum'],
    [400, 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'],
    [400, 'the request exceeds the available context size, try increasing it'],
    [422, 'Input is too long for requested model.'],
  ] as const

  for (const [status, said] of words) {
    const { provider } = await openWire(t, 'own', { replies: [{ fail: status, said }] })
    await assert.rejects(provider.ask(aRequest(), never), { code: 'too_large', message: /compact the thread/ }, said)
  }
})

test('[A12] a server that keeps failing ends in provider_failed with what it said and how often it was asked', async (t) => {
  const { server, provider } = await openWire(t, 'own', { replies: [{ fail: 503, times: 100, said: 'overloaded' }] })

  const asked = provider.ask(aRequest(), never)

  await assert.rejects(asked, (error: { code: string; message: string; details: object }) => {
    assert.equal(error.code, 'provider_failed')
    assert.match(error.message, /answered 503: overloaded \(asked 6 times/)
    assert.deepEqual(error.details, { status: 503, said: 'overloaded', attempts: 6 })
    return true
  })
  assert.equal(server.requests.length, 6)
})

test('[A12] a server that is not there is tried again, then told with its address', async () => {
  const gone = await startModelServer()
  await gone.close()
  const provider = await openProvider('own', {
    env: {},
    providers: { own: { kind: 'openai-compatible', base_url: `${gone.url}/v1` } },
    retry: { base_ms: 1, max_retries: 2 },
  })

  const asked = provider.ask(aRequest(), never)

  await assert.rejects(asked, { code: 'provider_failed', message: new RegExp(`${gone.url}/v1.*ECONNREFUSED.*asked 3 times`) })
})

test('[A13] what the server asks us to wait is waited, in milliseconds, in seconds or until a date', async (t) => {
  const { provider } = await openWire(t, 'own', { replies: [{ text: 'ok', fail: 429, retry_after_ms: 40 }] })
  const retries: Retry[] = []
  const started = performance.now()

  await provider.ask(aRequest(), never, { onRetry: (retry) => retries.push(retry) })

  assert.ok(performance.now() - started >= 39)
  assert.ok((retries[0]?.wait_ms ?? 0) >= 40)
  const now = new Date('2026-01-01T00:00:00Z')
  assert.equal(retryAfterMs({ 'retry-after': '3' }, now), 3000)
  assert.equal(retryAfterMs({ 'retry-after': 'Thu, 01 Jan 2026 00:00:05 GMT' }, now), 5000)
  assert.equal(retryAfterMs({ 'retry-after-ms': '7', 'retry-after': '3' }, now), 7)
  assert.equal(retryAfterMs({ 'retry-after': 'soon' }, now), null)
})

test('[A13] a server that asks for more patience than we have fails at once and is quoted', async (t) => {
  const { server, provider } = await openWire(t, 'own', {
    replies: [{ said: 'quota until tomorrow', fail: 429, headers: { 'retry-after': '86400' } }],
  })

  const asked = provider.ask(aRequest(), never)

  await assert.rejects(asked, {
    code: 'provider_failed',
    message: /quota until tomorrow/,
    details: { status: 429, said: 'quota until tomorrow', retry_after_ms: 86_400_000, attempts: 1 },
  })
  assert.equal(server.requests.length, 1)
})

test('[A14] an account without credit is not waited for although it answers 429', async (t) => {
  const { server, provider } = await openWire(t, 'own', { replies: [{ fail: 429, said: 'insufficient_quota' }] })

  const asked = provider.ask(aRequest(), never)

  await assert.rejects(asked, { code: 'provider_refused', message: /Check the credit/ })
  assert.equal(server.requests.length, 1)
})

test('[A16] stopping ends the wait between two tries', async (t) => {
  const { server, provider } = await openWire(t, 'own', { replies: [{ fail: 429, retry_after_ms: 100_000 }] })
  const stop = new AbortController()

  const asked = provider.ask(aRequest(), stop.signal, { onRetry: () => stop.abort() })

  await assert.rejects(asked, { code: 'stopped' })
  assert.equal(server.requests.length, 1)
})

test('[A16] stopping in the middle of a stream ends it and hands on no more text', async (t) => {
  const { server, provider } = await openWire(t, 'own', { replies: [{ text: 'one two three four', fail: 'hang' }], chunk_chars: 4 })
  const stop = new AbortController()
  const deltas: string[] = []

  const onText = (delta: string) => {
    deltas.push(delta)
    stop.abort()
  }
  const asked = provider.ask(aRequest(), stop.signal, { onText })

  await assert.rejects(asked, { code: 'stopped' })
  await until(() => server.requests[0]?.cut === true)
  assert.equal(deltas.length, 1)
})

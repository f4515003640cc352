import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import http from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWire, wireNames } from '../../tests/open-wire.ts'
import { connectProvider } from './connect.ts'
import { openProvider } from './open.ts'
import type { Retry, Silence } from './provider.ts'
import { withRetry } from './retry.ts'
import { Problem } from '../domain/problem.ts'
import { aRequest, never } from './test-entries.ts'

for (const wire of wireNames) {
  test(`[A120] over the ${wire} wire a server that sends nothing is given up after its limit, once, with the setting that changes it`, async (t) => {
    const { server, provider } = await openWire(t, wire, { replies: [{ fail: 'hang', times: 9 }] }, { first_byte_s: 0.2 })
    const heard: Silence[] = []

    const asked = provider.ask(aRequest(), never, { onSilence: (silence) => heard.push(silence) })

    await assert.rejects(asked, (error: Problem) => {
      assert.equal(error.code, 'provider_failed')
      assert.match(error.message, new RegExp(`sent nothing for 0.2 s.*providers.${wire}.first_byte_s`))
      assert.deepEqual([error.details['silent'], error.details['attempts']], ['from the start', 1])
      return true
    })
    assert.equal(server.requests.length, 1)
    assert.deepEqual(heard, [{ waited_ms: 100, limit_ms: 200, own_server: wire === 'own' || wire === 'responses' }])
  })

  test(`[A120] over the ${wire} wire a server that falls silent within its answer is asked again`, async (t) => {
    const replies = [{ text: 'a reply of several words', fail: 'hang' as const }]
    const { server, provider } = await openWire(t, wire, { replies, chunk_chars: 4 }, { first_byte_s: 60, between_bytes_s: 0.2 })
    const retries: Retry[] = []

    const reply = await provider.ask(aRequest(), never, { onRetry: (retry) => retries.push(retry) })

    assert.equal(reply.text, 'a reply of several words')
    assert.match(retries[0]?.reason ?? '', /fell silent within its answer/)
    assert.equal(server.requests.length, 2)
  })
}

test('[A120] what a server sends while its model thinks is no silence, be it only a comment', async (t) => {
  const server = http.createServer((_request, response) => void thinkAloud(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` // a listening TCP server has one
  const limits = { first_byte_s: 0.4, between_bytes_s: 0.4 }
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url, ...limits } } })

  assert.equal((await provider.ask(aRequest(), never)).text, 'Thought.')
})

async function thinkAloud(response: http.ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/event-stream')
  for (let beat = 0; beat < 12; beat++) {
    response.write(': PROCESSING\n\n')
    await sleep(50)
  }
  response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'Thought.' }, finish_reason: 'stop' }] })}\n\n`)
  response.end('data: [DONE]\n\n')
}

test('[A120] a port that takes a connection and says nothing is silent as well', async (t) => {
  const mute = createServer(() => undefined)
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  t.after(() => mute.close())
  const base_url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/v1`
  const provider = await openProvider('own', { env: {}, providers: { own: { kind: 'openai-compatible', base_url, first_byte_s: 0.1 } } })

  await assert.rejects(provider.ask(aRequest(), never), { code: 'provider_failed', message: /sent nothing for 0.1 s.*loaded its model/ })
})

test('[A120] a hosted model has a minute to begin, a server that loads a model has five', () => {
  const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }

  const limits = ['anthropic', 'openai', 'ollama'].map((name) => connectProvider(name, { env }).silence)

  assert.deepEqual(limits, [
    { first_ms: 60_000, between_ms: 60_000 },
    { first_ms: 60_000, between_ms: 60_000 },
    { first_ms: 300_000, between_ms: 300_000 },
  ])
})

test('[A120] no turn is begun anew once its time for failing is over, however often it still might', async () => {
  let asked = 0
  const policy = { max_retries: 1_000_000, base_ms: 5, cap_ms: 5, patience_ms: 1_000, total_ms: 60 }

  const failing = withRetry(policy, never, async () => {
    asked += 1
    throw new Problem('provider_failed', 'busy')
  })

  await assert.rejects(failing, { code: 'provider_failed', message: /asked \d+ times, then gave up/ })
  assert.ok(asked > 1 && asked < 30, `asked ${asked} times`)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWire } from '../../tests/open-wire.ts'
import { Problem } from '../domain/problem.ts'
import { aRequest, never } from './test-entries.ts'

const untold = { input_tokens: 0, output_tokens: 0 }
const words = 'a reply of several words, and then some more of them'

for (const wire of ['own', 'anthropic', 'google', 'responses'] as const) {
  test(`[A99] over the ${wire} wire a reply whose usage the server does not tell is reckoned from its length, and marked`, async (t) => {
    const { provider } = await openWire(t, wire, { replies: [{ text: words, usage: untold }] })

    const { usage } = await provider.ask(aRequest(), never)

    assert.ok(usage.estimated === true && usage.input_tokens > 0 && usage.output_tokens >= words.length / 4)
  })

  test(`[A99] over the ${wire} wire an attempt that broke off counts beside the one that came through`, async (t) => {
    const { provider } = await openWire(t, wire, { replies: [{ text: words, fail: 'cut' }], chunk_chars: 4 })

    const { usage } = await provider.ask(aRequest(), never)

    assert.ok(usage.estimated === true && usage.input_tokens > 10 && usage.output_tokens > 5)
  })

  test(`[A99] over the ${wire} wire a stopped request tells what it has used`, async (t) => {
    const stop = new AbortController()
    const { provider } = await openWire(t, wire, { replies: [{ fail: 'hang' }] })
    const asked = provider.ask(aRequest(), stop.signal)
    setImmediate(() => stop.abort())

    const error = await asked.catch((thrown: unknown) => thrown)

    assert.ok(error instanceof Problem && error.code === 'stopped')
    assert.equal((error.details['usage'] as { estimated?: boolean } | undefined)?.estimated, true) // what the provider puts there
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest, never } from '../test-entries.ts'
import { openWire, wireNames } from '../../../tests/open-wire.ts'

/** Never part of UTF-8, a byte order mark cut in half, and a character that is not continued. */
const bad = Buffer.of(0xff, 0xfe, 0xc3, 0x28)

for (const wire of wireNames) {
  test(`[A92] over the ${wire} wire bytes that are no UTF-8 are replaced and nothing else is lost`, async (t) => {
    const { provider } = await openWire(t, wire, {
      replies: [{ text: 'before @@@@ after' }, { text: '', fail: 400, said: 'bad @@@@ request' }],
      chunk_chars: 100,
      garbled: (answer) => Buffer.from(answer.toString('latin1').replaceAll('@@@@', bad.toString('latin1')), 'latin1'),
    })

    const reply = await provider.ask(aRequest(), never)
    const refused = provider.ask(aRequest(), never)

    await assert.rejects(refused, { code: 'provider_refused', message: /bad \ufffd\ufffd\ufffd\( request/ })
    assert.equal(reply.text, 'before \ufffd\ufffd\ufffd( after')
  })
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedRecord, withoutSecrets } from './mask.ts'

const secret = 'my-very-own-secret-value-0123456789-and-more'

test('[G46, J27] of a value that begins with another one nothing is left', () => {
  const secrets = ['key-1234', 'key-1234-and-more']

  const masked = [withoutSecrets, maskedRecord].map((mask) => mask({ said: ['it is key-1234-and-more, not key-1234'] }, secrets))

  for (const { said } of masked) assert.deepEqual(said, ['it is [masked], not [masked]'])
})

test('[G46] of a value that a text was cut in nothing is left, before the cut, behind it and at the end', () => {
  for (let length = 4; length < secret.length; length++) {
    const [head, tail] = [secret.slice(0, length), secret.slice(-length)]
    for (const mark of ['\n[… 12 bytes cut …]\n', '\n[… 4711 characters cut …]\n']) {
      assert.equal(withoutSecrets(`it is ${head}${mark}and so on`, [secret]), `it is [masked]${mark}and so on`)
      assert.equal(withoutSecrets(`it is${mark}${tail} and so on`, [secret]), `it is${mark}[masked] and so on`)
    }
    if (length >= 8) assert.equal(withoutSecrets(`it is ${head}`, [secret]), 'it is [masked]')
  }
})

test('[G46] a few letters of a value that are ordinary words stay', () => {
  const text = 'my-very-own is in the text, and my-very\n[… 3 bytes cut …]\nis not at its end: my-very'

  assert.equal(withoutSecrets(text, [secret]), text.replace('my-very\n', '[masked]\n'))
})

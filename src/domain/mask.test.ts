import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedRecord, withoutSecrets } from './mask.ts'

test('[G46, J27] of a value that begins with another one nothing is left', () => {
  const secrets = ['key-1234', 'key-1234-and-more']

  const masked = [withoutSecrets, maskedRecord].map((mask) => mask({ said: ['it is key-1234-and-more, not key-1234'] }, secrets))

  for (const { said } of masked) assert.deepEqual(said, ['it is [masked], not [masked]'])
})

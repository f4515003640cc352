import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAttachment } from './attachments.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

test('[A125] a file is told by its bytes, and what no model takes is refused', () => {
  assert.equal(readAttachment({ name: 'a.txt', data: png }).media_type, 'image/png')
  assert.throws(() => readAttachment({ name: 'a.png', data: Buffer.from('words').toString('base64') }), { code: 'bad_input' })
  const large = Buffer.concat([Buffer.from(png, 'base64'), Buffer.alloc(6 * 1024 * 1024)]).toString('base64')
  assert.throws(() => readAttachment({ name: 'a.png', data: large }), { code: 'too_large' })
})

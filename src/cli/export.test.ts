import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from './test-account.ts'

test('[C14] an export to where nothing can be written is refused in a sentence', async (t) => {
  const account = await anAccount(t)

  const missing = await account.troupe('export', 'nowhere/all.jsonl')
  const folder = await account.troupe('export', '.')

  for (const { code, stderr } of [missing, folder]) {
    assert.equal(code, 42)
    assert.match(stderr, /^troupe: \S+ cannot be written: E[A-Z]+: .*\n$/)
  }
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from './test-account.ts'

test('[X19] the password of a store stands neither in the list of settings nor in what the doctor says', async (t) => {
  const account = await anAccount(t, { TROUPE_STORE: 'postgres://someone:s3cret@127.0.0.1:1/troupe' })
  await account.write('.config/troupe/config.yaml', 'providers:\n  mine:\n    base_url: https://me:s3cret@models.example/v1\n')

  const said = [
    await account.troupe('config', 'show'),
    await account.troupe('config', 'show', '--json'),
    await account.troupe('doctor', '--json'),
  ]

  for (const { stdout, stderr } of said) assert.doesNotMatch(stdout + stderr, /s3cret/)
  assert.match(said[0]?.stdout ?? '', /postgres:\/\/someone:\[masked\]@127\.0\.0\.1:1\/troupe/)
  assert.match(said[0]?.stdout ?? '', /https:\/\/me:\[masked\]@models\.example/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from './test-account.ts'

test('[C40] [C111] an operation that is a noun of its own takes no verb: status, needs and runs', async (t) => {
  const account = await anAccount(t)

  const [status, needs, runs] = [
    await account.troupe('status', '--json'),
    await account.troupe('needs', '--json'),
    await account.troupe('runs', '--limit', '3', '--json'),
  ]

  assert.deepEqual([status.code, needs.code, runs.code], [0, 0, 0])
  assert.deepEqual(JSON.parse(status.stdout).workspace, account.project)
  assert.deepEqual([JSON.parse(needs.stdout), JSON.parse(runs.stdout)], [{ needs: [] }, { runs: [] }])
})

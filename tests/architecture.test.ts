import assert from 'node:assert/strict'
import { test } from 'node:test'
import { architecture } from './diagrams.ts'

test('[C6] the state diagrams of ARCHITECTURE.md are those of the tables; npm run diagrams draws them anew', async () => {
  const { is, shouldBe } = await architecture()

  assert.equal(is, shouldBe)
})

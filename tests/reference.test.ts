import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { referencePages } from './reference/pages.ts'
import { root, textOf } from './sources.ts'

test('[D5] docs/reference is what the code says; npm run reference writes it anew', async () => {
  const files = readdirSync(join(root, 'docs/reference'))
  const are = Object.fromEntries(files.map((file) => [file, textOf(`docs/reference/${file}`)]))

  const shouldBe = await referencePages()

  assert.deepEqual(Object.keys(are).toSorted(), Object.keys(shouldBe).toSorted())
  for (const [file, text] of Object.entries(shouldBe)) assert.equal(are[file], text, `docs/reference/${file}: run npm run reference`)
})

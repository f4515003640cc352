import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { referencePages } from './reference/pages.ts'
import { root } from './sources.ts'

test('[D5] docs/reference is what the code says; npm run reference writes it anew', async () => {
  const folder = join(root, 'docs/reference')
  const are = Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))

  const shouldBe = await referencePages()

  assert.deepEqual(Object.keys(are).toSorted(), Object.keys(shouldBe).toSorted())
  for (const [file, text] of Object.entries(shouldBe)) assert.equal(are[file], text, `docs/reference/${file}: run npm run reference`)
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from './sources.ts'

test('[S36] every program in native/ was built from the source beside it, and nothing else lies there', () => {
  const folder = join(root, 'native')
  const built: unknown = JSON.parse(readFileSync(join(folder, 'built.json'), 'utf8'))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
  const kept = files.filter((name) => !['built.json', 'devices.fstab'].includes(name))

  const found = Object.fromEntries(
    kept.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  )

  assert.deepEqual(found, built, 'run node scripts/native.mjs')
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { RoleFault } from './fault.ts'
import { builtInDir } from './load.ts'
import { readYaml } from './locate.ts'
import { readPlainFields } from './plain-fields.ts'

const words = ['a b', ...'name a x_y _z true Null README.md ../b . .5 .inf .. 1 01 1.0 1e3 0x1f ~'.split(' ')]
// oxfmt-ignore
const signs = [': ', ':', ', ', ',', ' ', '{ ', ' }', '{', '}', '[', ']', '\n', '\n  - ', ':\n  - { a: b }\n', '#', ' # c', "'", '"', '/', ';', '-', '\t', '---']
const pieces = [...words, ...signs]

test('[R39] the built-in roles are written so plainly that a start loads no YAML parser', () => {
  const texts = readdirSync(builtInDir).map((file) => readFileSync(join(builtInDir, file), 'utf8'))

  const read = texts.map((text) => readPlainFields(frontMatter(text), 2))

  assert.equal(read.length, 10)
  assert.ok(read.every((located) => located !== null))
})

test('[R39] of the built-in roles the plain reader and the YAML parser read the same, line by line', async () => {
  for (const file of readdirSync(builtInDir)) {
    const text = frontMatter(readFileSync(join(builtInDir, file), 'utf8'))

    await assertSame(text)
  }
})

test('[R39] whatever the plain reader reads, the YAML parser reads the same', async () => {
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => `${parts.join('')}\n`)
  const field = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `key: ${parts.join('')}\n`)
  const flow = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `key: { a: ${parts.join('')} }\n`)
  const list = fc
    .array(fc.constantFrom(...pieces), { maxLength: 6 })
    .map((parts) => `key:\n  - { a: b }\n  - { ${parts.join('')} }\nb: c\n`)

  await fc.assert(fc.asyncProperty(fc.oneof(soup, field, flow, list), assertSame), { numRuns: 3000 })
})

test('[R39] what YAML would refuse or read otherwise is left to the parser', () => {
  // oxfmt-ignore
  const texts = [
    'a: b\na: c\n', 'a: { b: c, b: d }\n', 'a: { b:c, d: e }\n', 'a: true\n', 'a: [null]\n', 'a: .5\n', 'a:\n', 'a: b\n\nc: d\n', 'a: b # c\n',
  ]

  const read = texts.map((text) => readPlainFields(text, 2))

  assert.deepEqual(
    read,
    texts.map(() => null),
  )
})

async function assertSame(text: string): Promise<void> {
  const plain = readPlainFields(text, 2)
  if (plain === null) return
  const faults: RoleFault[] = []
  const parsed = await readYaml(text, 'a.md', 2, faults)

  assert.deepEqual(faults, [], text)
  assert.deepEqual(plain.value, parsed?.value, text)
  for (const [key, value] of Object.entries(plain.value as Record<string, unknown>)) {
    // readPlainFields reads nothing but records
    assert.equal(plain.lineOf([key]), parsed?.lineOf([key]), text)
    const items = Array.isArray(value) ? [...value.keys()] : []
    for (const at of items) assert.equal(plain.lineOf([key, at, 'a']), parsed?.lineOf([key, at, 'a']), text)
  }
}

function frontMatter(text: string): string {
  return text.slice(4, text.indexOf('\n---\n') + 1)
}

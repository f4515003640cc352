import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { stringify } from 'yaml'
import { permissions } from '../domain/permission.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { loadRoles } from './load.ts'
import { faultsOf, roleFolders, roleText } from './test-folders.ts'

const fields = 'id name description llm_model permissions can_delegate_to_roles color icon examples __proto__ x'.split(' ')
const bombs: Record<string, string> = {
  'aliases.md': `---\na: &a [x, x]\n${range(20)
    .map((at) => `${letter(at + 1)}: &${letter(at + 1)} [${`*${letter(at)}, `.repeat(9)}*${letter(at)}]`)
    .join('\n')}\n---\nx`,
  'deep.md': `---\nname: ${'['.repeat(8000)}\n---\nx`,
  'deep-map.md': `---\nname: ${'{a: '.repeat(3000)}\n---\nx`,
  'keys.md': `---\n${range(1500)
    .map((at) => `k${at}: 1`)
    .join('\n')}\n---\nx`,
  'long.md': `---\n${'a'.repeat(100_000)}\n---\nx`,
  'endless.md': `---\n${'name: x\n'.repeat(30_000)}`,
  'anchor.md': '---\nname: &a [*a]\n---\nx',
  'tag.md': '---\nname: !!js/function "function () {}"\n---\nx',
  'code.md': '---js\n{ name: process.exit(1) }\n---\nx',
  'merge.md': '---\n<<: { permissions: [write_files] }\nname: A\n---\nx',
  'deep.json': '['.repeat(200_000),
  'deep-closed.json': `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
  'wide.json': `{${range(15_000)
    .map((at) => `"k${at}":1`)
    .join(',')}}`,
  'bytes.md': '\u0000\u0001',
}

test('[R25] a file built to hurt is refused by name', { timeout: 120_000 }, async (t) => {
  for (const [name, text] of Object.entries(bombs)) {
    const folders = await roleFolders(t, { user: { [name]: text } })

    const faults = await faultsOf(folders)

    assert.ok(faults.length > 0, name)
    assert.deepEqual([...new Set(faults.map((fault) => fault.file))], [join(folders.userDir, name)])
  }
})

test('[R25] random bytes are refused with the file’s name', async (t) => {
  await neverCrashes(t, 'a.md', fc.uint8Array({ maxLength: 400 }))
})

test('[R25] random bytes as a manifest are refused with the file’s name', async (t) => {
  await neverCrashes(t, 'a.json', fc.oneof(fc.uint8Array({ maxLength: 200 }), fc.json().map(toBytes)))
})

test('[R25] random front matter gives a role or faults with the file’s name', async (t) => {
  const text = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom(...'-:[]{}&*!|>\'"%@`#,? \n\tab~'.split('')), maxLength: 120 }),
  )
  await neverCrashes(
    t,
    'a.md',
    text.map((front) => toBytes(`---\n${front}\n---\nbody`)),
  )
})

test('[R25] random values in the known fields give a role or faults with the file’s name', async (t) => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(...permissions, 'planner', 'Planner', 'blue'), fc.subarray([...permissions]))
  const front = fc.dictionary(fc.constantFrom(...fields), value, { noNullPrototype: true })
  await neverCrashes(
    t,
    'a.md',
    front.map((stated) => toBytes(`---\n${stringify(stated)}---\nbody`)),
  )
})

test('[R25] lines end in either way and a byte order mark is no fault', async (t) => {
  const text = `\ufeff${roleText('Linter', 'permissions: [read_files]')}`.replaceAll('\n', '\r\n')
  const folders = await roleFolders(t, { user: { 'linter.md': text } })

  const role = (await loadRoles(folders)).get('linter')

  assert.equal(role?.instructions, 'Do the work.')
})

async function neverCrashes(t: Cleanup, name: string, content: fc.Arbitrary<Uint8Array>): Promise<void> {
  const { userDir } = await roleFolders(t, {})
  const file = join(userDir, name)
  await fc.assert(
    fc.asyncProperty(content, async (bytes) => {
      await writeFile(file, bytes)
      const faults = await faultsOf({ userDir })
      for (const fault of faults) {
        assert.equal(fault.file, file)
        assert.ok(fault.line >= 1 && fault.field !== '' && fault.found !== '' && fault.expected !== '')
      }
    }),
    { numRuns: 100 },
  )
}

function toBytes(text: string): Uint8Array {
  return Buffer.from(text)
}

function range(length: number): number[] {
  return Array.from({ length }, (_, at) => at)
}

function letter(at: number): string {
  return String.fromCharCode(97 + at)
}

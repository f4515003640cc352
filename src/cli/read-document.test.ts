import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readYamlFile } from '../config/yaml-file.ts'
import { Problem } from '../domain/problem.ts'
import { readScript } from '../providers/script/script.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { migrateFile } from '../workflows/files/migrate-file.ts'
import { readWorkflow } from '../workflows/files/read.ts'
import { readDocument } from './read-document.ts'

/** Ten lines that stand for ten billion values. */
const bomb = [
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(10)}]`),
].join('\n')

test('[C64] a file whose aliases multiply is refused by name wherever YAML is read', async (t) => {
  const folder = await testFolder(t)
  const file = join(folder, 'bomb.yaml')
  await writeFile(file, bomb)
  const readers: Record<string, () => Promise<unknown>> = {
    configuration: () => readYamlFile(file),
    script: () => readScript(file),
    'document of a command': () => readDocument(file),
    'workflow to migrate': () => migrateFile(file, bomb),
  }

  const refused = await Promise.all(Object.values(readers).map((read) => read().catch((error: unknown) => error)))
  const workflow = await readWorkflow(bomb, file)

  for (const [at, reader] of Object.keys(readers).entries()) {
    const problem = refused[at]
    assert.ok(problem instanceof Problem && problem.code === 'bad_input' && problem.message.includes(file), reader)
  }
  assert.match('faults' in workflow ? JSON.stringify(workflow.faults[0]) : '', /bomb\.yaml.*without aliases/)
})

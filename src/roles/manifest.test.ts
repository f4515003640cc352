import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { loadRoles } from './load.ts'
import { faultsOf, roleFolders } from './test-folders.ts'

const worker = {
  name: 'Worker',
  description: 'Writes code.',
  instructions: 'You are an expert software engineer.',
  llm_model: 'grok-code-fast-1',
}
const linter = { name: 'Linter', description: 'Looks.', instructions: 'Look.', llm_model: 'default' }

test('[R4] a JSON manifest of the four attributes is a role', async (t) => {
  const folders = await roleFolders(t, { user: { 'linter.json': JSON.stringify(linter) } })

  const role = (await loadRoles(folders)).get('linter')

  assert.equal(role?.instructions, 'Look.')
  assert.deepEqual(role.permissions, [])
})

test('[R4] a manifest may hold a map of roles under their names', async (t) => {
  const folders = await roleFolders(t, { user: { 'roles.json': JSON.stringify({ Worker: worker, Linter: linter }) } })

  const roles = await loadRoles(folders)

  assert.equal(roles.get('worker')?.llm_model, 'grok-code-fast-1')
  assert.equal(roles.get('linter')?.name, 'Linter')
})

test('[R15] a manifest of a known role changes how it behaves and keeps the rights it does not speak of', async (t) => {
  const folders = await roleFolders(t, { project: { 'roles.json': JSON.stringify({ Worker: worker }, null, 2) } })

  const role = (await loadRoles(folders)).get('worker')

  assert.equal(role?.instructions, 'You are an expert software engineer.')
  assert.equal(role.permissions.length, 5)
  assert.equal(role.color, 'slate')
})

test('[R4] a manifest with faults names the line and the role of each', async (t) => {
  const twice = '{\n  "name": "A",\n  "name": "B"\n}'
  const other = JSON.stringify({ Linter: { ...linter, name: 'Looker' }, Worker: { ...worker, llm_model: null } }, null, 1)
  const folders = await roleFolders(t, { user: { 'a.json': '{\n"name": "A" "B" }', 'b.json': twice, 'c.json': other, 'd.json': '[]' } })

  const faults = await faultsOf(folders)

  assert.deepEqual(
    faults.map(({ file, line, field }) => [basename(file), line, field]),
    [
      ['a.json', 2, 'JSON'],
      ['b.json', 3, 'JSON'],
      ['c.json', 3, 'Linter.name'],
      ['c.json', 12, 'Worker.llm_model'],
      ['d.json', 1, 'JSON'],
    ],
  )
})

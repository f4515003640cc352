import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTroupe } from './open-troupe.ts'

const role = `---
name: Builder
description: Builds it.
permissions: [read_files, write_files, execute_commands]
llm_model: default
---
You build.
`

test('[R44] a role whose rights wait for your trust says so, with what is withheld and the command that gives it', async (t) => {
  const troupe = await openTroupe(t, [])
  await troupe.write('project/.troupe/roles/builder.md', role)
  const { roles } = (await troupe.ask('GET', '/api/role/list')) as { roles: { id: string; withheld: string[] }[] } // what the contract says
  const page = await troupe.open('/roles/builder')

  const row = page.getByRole('row', { name: /Builder/ })
  await row.getByText('not trusted').waitFor()
  await page.getByText(/troupe roles trust .*builder\.md/).waitFor()

  assert.deepEqual(
    roles.filter(({ withheld }) => withheld.length > 0).map(({ id, withheld }) => [id, ...withheld]),
    [['builder', 'write_files', 'execute_commands']],
  )
  assert.equal(await page.getByText('not trusted').count(), 1)
})

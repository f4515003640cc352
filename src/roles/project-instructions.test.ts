import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testWorkspace } from '../sandbox/test-workspace.ts'
import { projectInstructions } from './project-instructions.ts'

test('[R40] a project’s AGENTS.md is told to its agents, also through a link inside the project', async (t) => {
  const plain = await testWorkspace(t, { 'AGENTS.md': 'Use tabs.' })
  const linked = await testWorkspace(t, { 'docs/rules.md': 'Use spaces.' })
  await symlink('docs/rules.md', join(linked, 'AGENTS.md'))

  assert.deepEqual([projectInstructions(plain), projectInstructions(linked)], ['Use tabs.', 'Use spaces.'])
})

test('[R40] an AGENTS.md that leads out of the project, to a secret or to a pipe is not told', async (t) => {
  const root = await testWorkspace(t, { '.env': 'KEY=secret' })
  const elsewhere = await testWorkspace(t, { id: 'secret' })
  const file = join(root, 'AGENTS.md')
  const told: string[] = []
  for (const target of [join(elsewhere, 'id'), '.env', '/proc/self/environ', 'nowhere']) {
    await symlink(target, file)
    told.push(projectInstructions(root))
    await rm(file)
  }
  execFileSync('mkfifo', [file])

  told.push(projectInstructions(root))

  assert.deepEqual(told, ['', '', '', '', ''])
})

test('[R40] of an AGENTS.md without measure only the beginning is read', async (t) => {
  const root = await testWorkspace(t, { 'AGENTS.md': 'Use tabs.' })
  await truncate(join(root, 'AGENTS.md'), 5 * 1024 ** 3) // takes no room on the disk

  const told = projectInstructions(root)

  assert.deepEqual([told.slice(0, 9), told.length], ['Use tabs.', 8_000])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../../tests/open-shell.ts'

test('[B230] an agent that may not do something at the command line is refused before it is registered', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  await troupe('board', 'add', '--desc', 'List the users')

  const refused = await troupe('board', 'unblock', 'task-1', '--answer', 'By name', '--as', 'coder-1', '--json')
  const { stdout } = await troupe('board', 'export', '-')

  assert.equal((JSON.parse(refused.stdout) as { error: { code: string } }).error.code, 'forbidden')
  assert.doesNotMatch(stdout, /coder-1/)
})

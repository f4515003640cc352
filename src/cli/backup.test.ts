import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openShell } from '../../tests/open-shell.ts'

test('[C14] a file that cannot be written is refused by its name, whichever command was to write it', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  await troupe('job', 'create', 'users', '--objective', 'List the users', '--activate')

  const ended = [
    await troupe('export', 'nowhere/all.jsonl'),
    await troupe('export', '.'),
    await troupe('board', 'export', '--out', 'nowhere/state.yaml'),
    await troupe('job', 'metrics', '--csv', 'nowhere/steps.csv'),
    await troupe('job', 'export', 'users', '--out', 'nowhere/users.patch'),
    await troupe('job', 'export', 'users', '--out', '.'),
  ]

  for (const { code, stderr } of ended) {
    assert.equal(code, 42)
    assert.match(stderr, /^troupe: \S+ cannot be written \(E[A-Z]+\); name a file in a folder that is there and yours\n$/)
  }
})

test('[C14] a file that is there already is written over by no command, and each says so alike', async (t) => {
  const { account, troupe } = await openShell(t, { 'mine.txt': 'mine\n', 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  await troupe('job', 'create', 'users', '--objective', 'List the users', '--activate')

  const ended = [
    await troupe('export', 'mine.txt', '--json'),
    await troupe('board', 'export', '--out', 'mine.txt', '--json'),
    await troupe('job', 'metrics', '--csv', 'mine.txt', '--json'),
    await troupe('job', 'export', 'users', '--out', 'mine.txt', '--json'),
  ]

  for (const { code, stdout, stderr } of ended) {
    assert.deepEqual([code, stderr], [42, 'troupe: mine.txt is there already; choose another name\n'])
    assert.match(stdout, /"code": "conflict"/)
  }
  assert.equal(await readFile(join(account.project, 'mine.txt'), 'utf8'), 'mine\n')
})

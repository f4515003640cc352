import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginRepository } from '../../worktrees/test-repository.ts'
import { anAccount } from '../test-account.ts'

test('[B40] SKIP_SPEC_FILE_CHECK=true lets a task name a spec that is not there, and that is logged', async (t) => {
  const account = await anAccount(t, { USER: 'ann', SKIP_SPEC_FILE_CHECK: 'true' })
  await beginRepository(account.project, { 'a.txt': 'one\n' })
  await account.troupe('board', 'init', 'List the users')
  await account.troupe(
    'board',
    'add',
    '--description',
    'List',
    '--spec',
    'later.md',
    '--done-when',
    'a.txt lists 2 users',
    '--scope',
    'IN: it',
  )

  const { code, stderr } = await account.troupe('board', 'finalize', 'task-1')
  const log = await account.troupe('board', 'log')

  assert.equal(code, 0, stderr)
  assert.match(log.stdout, /without its spec file, on request/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginRepository } from '../../worktrees/test-repository.ts'
import { anAccount } from '../test-account.ts'

test('[J73] where a job must be named and is not, TROUPE_JOB_ID names it; a name that is typed goes first, and all jobs are still all', async (t) => {
  const account = await anAccount(t, { TROUPE_JOB_ID: 'one' })
  await beginRepository(account.project, { 'a.txt': 'one\n' })
  for (const id of ['one', 'two']) await account.troupe('job', 'create', id, '--objective', 'Make it', '--activate')
  const ids = async (...words: string[]) => JSON.parse((await account.troupe('job', ...words, '--json')).stdout)

  const [meant, typed, all] = [await ids('status'), await ids('status', 'two'), await ids('metrics')]

  assert.deepEqual([meant.job.id, typed.job.id, all.jobs], ['one', 'two', { PENDING: 2 }])
})

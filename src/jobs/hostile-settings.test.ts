import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { nameFilterForWorktrees } from '../worktrees/test-hostile.ts'
import { activateJob } from './steward/activate.ts'
import { testJobs, makeJob } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[T10] the workspace of a job is made without running a filter that its repository names for worktrees', async (t) => {
  const { context, repository } = await testJobs(t, [])
  const ran = await nameFilterForWorktrees(repository)

  await makeJob(context, { id: 'hostile', source: repository.root, spec: { objective: 'Say hello' } })
  const job = await perform(activateJob, context, { job: 'hostile' })

  assert.ok(existsSync(`${job.workspace}/a.txt`))
  assert.equal(existsSync(ran), false)
})

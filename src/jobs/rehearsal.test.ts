import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { rehearsalProvider } from '../providers/rehearsal/rehearsal.ts'
import { approveJob } from './steward/approve.ts'
import { testJobs } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[J40] without any model key a job can be rehearsed from its first step to SUCCESS, phase after phase', async (t) => {
  const provider = rehearsalProvider()
  const phases = [{ name: 'one' }, { name: 'two' }]
  const scene = await testJobs(t, [], { phases }, { chosenModelFor: async () => ({ provider, model: 'rehearsal' }) })

  await scene.run()
  await perform(approveJob, scene.context, { job: 'demo' })
  const second = await scene.run()
  const done = await perform(approveJob, scene.context, { job: 'demo' })

  assert.deepEqual([second.status, second.current_phase, done.status], ['APPROVAL_REQUIRED', 'two', 'SUCCESS'])
  assert.ok(existsSync(join(done.workspace, 'rehearsal-notes.md')))
  assert.match((await scene.history())[0]?.interaction.response.summary_for_supervisor ?? '', /Rehearsal model/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { jobs } from '../store/tables.ts'
import { activateJob } from './steward/activate.ts'
import { resubmitJob } from './steward/resubmit.ts'
import { runJobs } from './run.ts'
import { exit, never, testJobs, makeJob } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[J61] two that work through one queue at once share it: every job is brought to its person, and neither fails', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED'), delay_ms: 50, repeat: true }])
  for (const id of ['second', 'third']) {
    await makeJob(scene.context, { id, source: scene.repository.root, spec: { objective: 'Say hello' } })
    await perform(activateJob, scene.context, { job: id })
  }

  const reports = await Promise.all([runJobs(scene.context, { signal: never }), runJobs(scene.context, { signal: never })])

  const found = await jobs.items(scene.agent.driver)
  assert.deepEqual(
    reports.flatMap(({ problems }) => problems),
    [],
  )
  assert.deepEqual(each(found, 'status'), ['APPROVAL_REQUIRED', 'APPROVAL_REQUIRED', 'APPROVAL_REQUIRED'])
  assert.equal(
    reports.reduce((sum, { steps }) => sum + steps, 0),
    6,
  )
})

test('[J65] a job that a limit stops has made no step', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }], { limits: { max_iterations: 1 } })

  const made = await runJobs(scene.context, { signal: never })
  await perform(resubmitJob, scene.context, { job: 'demo', review: true })
  const none = await runJobs(scene.context, { signal: never })

  assert.deepEqual([made.steps, none.steps], [1, 0])
  assert.deepEqual(each(none.needs_person, 'reason'), ['iterations'])
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { goneHolder } from '../../agent/test-agent.ts'
import { processesWith } from '../../sandbox/test-processes.ts'
import { noSandbox } from '../../sandbox/test-no-sandbox.ts'
import { until } from '../../sandbox/test-until.ts'
import { jobs } from '../../store/tables.ts'
import { cancelJob } from '../steward/cancel.ts'
import { configureJob } from '../steward/configure.ts'
import { stepJob } from './step.ts'
import { exit, testJobs } from '../test-job.ts'
import { perform } from '../../domain/operation.ts'

test('[J60] a check that a person cut off is not held against the work: the next step runs it again', { skip: noSandbox }, async (t) => {
  const { checks, isRunning } = slowCheck()
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }], { checks })
  const interrupt = new AbortController()

  const stepping = stepJob(scene.context, 'demo', interrupt.signal)
  await until(isRunning)
  interrupt.abort()
  await assert.rejects(stepping, { code: 'stopped' })
  const cut = await scene.history()
  const was = await jobs.get(scene.agent.driver, 'demo')
  const active = was.item.active && { ...was.item.active, holder: goneHolder() }
  await jobs.replace(scene.agent.driver, was, { ...was.item, active })
  await perform(configureJob, scene.context, { job: 'demo', spec: { checks: [{ name: 'slow', command: 'true' }] } })
  const { status } = await scene.step()

  const recorded = await scene.history()
  assert.deepEqual([cut, status, scene.requests.length], [[], 'REVIEW_REQUIRED', 1])
  assert.deepEqual(
    recorded.map(({ checks: ran }) => ran.map(({ passed }) => passed)),
    [[true]],
  )
})

test('[J60] a job that is cancelled while its checks run does not wait for them', { skip: noSandbox }, async (t) => {
  const { checks, isRunning } = slowCheck()
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }], { checks })

  const stepping = scene.step()
  await until(isRunning)
  const cancelled = await perform(cancelJob, scene.context, { job: 'demo' })
  await stepping

  const [recorded] = await scene.history()
  assert.deepEqual([cancelled.status, cancelled.active, recorded?.checks, await isRunning()], ['CANCELED', null, [], false])
})

/** A check that would take ten minutes, and whether it is on. */
function slowCheck() {
  const mark = randomUUID()
  const checks = [{ name: 'slow', command: `sleep 600 # ${mark}` }]
  return { checks, isRunning: async () => (await processesWith(mark)).length > 0 }
}

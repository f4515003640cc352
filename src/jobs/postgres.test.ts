import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainGround } from '../agent/test-agent.ts'
import { openStore } from '../store/open.ts'
import { testPostgresAddress } from '../store/postgres/test-postgres.ts'
import { gitText } from '../worktrees/repository.ts'
import { approveJob } from './steward/approve.ts'
import { replayJob } from './replay/replay.ts'
import { mergeJob } from './merge.ts'
import { resubmitJob } from './steward/resubmit.ts'
import { stepJob } from './step/step.ts'
import { exit, makes, never, testJobs } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[J52] on PostgreSQL a three-phase job goes from draft to merge, and of two processes that step it at once one does', async (t) => {
  const address = await testPostgresAddress()
  const [driver, elsewhere] = [await openStore(address), await openStore(address)]
  t.after(() => Promise.all([driver.close(), elsewhere.close()]).then(() => undefined))
  const done = { text: exit('COMPLETED') }
  const first = [{ text: exit('RETRY') }, makes('one.txt'), { text: 'I am done.' }, done, { text: exit('RETRY', [], 'More.') }, done, done]
  const rest = [{ ...done, delay_ms: 300 }, done, { text: exit('STUCK', [], 'Which name?') }, done, done]
  const phases = [{ name: 'one' }, { name: 'two' }, { name: 'three' }]
  const scene = await testJobs(t, [...first, ...rest], { phases }, { driver })
  const other = { ...scene.context, ...plainGround({ ...scene.agent, driver: elsewhere }) }

  await scene.run()
  await perform(approveJob, scene.context, { job: 'demo' })
  const both = await Promise.allSettled([scene.step(), stepJob(other, 'demo', never)])
  await scene.run()
  await perform(approveJob, other, { job: 'demo' })
  const stuck = await scene.run()
  await perform(resubmitJob, other, { job: 'demo', note: 'Call it three.' })
  await scene.run()
  const success = await perform(approveJob, scene.context, { job: 'demo' })
  await gitText(scene.repository.root, ['branch', 'release'])
  await perform(mergeJob, other, { job: 'demo', into: 'release' })

  assert.deepEqual([stuck.reason, success.status], ['stuck', 'SUCCESS'])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.deepEqual((await perform(replayJob, { agent: { driver: elsewhere } }, { job: 'demo' })).differences, [])
  assert.equal((await scene.history()).length, 11)
  assert.equal(await gitText(scene.repository.root, ['show', 'release:one.txt']), 'hello')
})

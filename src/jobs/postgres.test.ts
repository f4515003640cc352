import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainGround } from '../agent/test-agent.ts'
import { openStore } from '../store/open.ts'
import { testPostgresAddress } from '../store/postgres/test-postgres.ts'
import { gitText } from '../worktrees/repository.ts'
import { approveJob } from './approve.ts'
import { replayJob } from './replay/replay.ts'
import { mergeJob } from './view/result.ts'
import { resubmitJob } from './resubmit.ts'
import { stepJob } from './step/step.ts'
import { exit, makes, never, testJobs } from './test-job.ts'

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
  await approveJob(scene.context, 'demo')
  const both = await Promise.allSettled([scene.step(), stepJob(other, 'demo', never)])
  await scene.run()
  await approveJob(other, 'demo')
  const stuck = await scene.run()
  await resubmitJob(other, 'demo', 'Call it three.')
  await scene.run()
  const success = await approveJob(scene.context, 'demo')
  await gitText(scene.repository.root, ['branch', 'release'])
  await mergeJob(other, 'demo', 'release')

  assert.deepEqual([stuck.reason, success.status], ['stuck', 'SUCCESS'])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.deepEqual((await replayJob(elsewhere, 'demo')).differences, [])
  assert.equal((await scene.history()).length, 11)
  assert.equal(await gitText(scene.repository.root, ['show', 'release:one.txt']), 'hello')
})

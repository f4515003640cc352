import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { jobMovesOf } from './view/history.ts'
import { metricsOf } from './view/metrics.ts'
import { poststepJob, poststepPreview } from './poststep.ts'
import { replayJob } from './replay/replay.ts'
import { exit, testJobs } from './test-job.ts'

test('[J19] poststep carries an answer through the same moves as a step; its dry run changes nothing', async (t) => {
  const scene = await testJobs(t, [])

  const dry = await poststepPreview(scene.context, 'demo', exit('COMPLETED'))
  const before = await scene.job()
  const after = await poststepJob(scene.context, 'demo', `wrapped: {"response": ${exit('COMPLETED', ['a.txt'])}}`)
  const stuck = await poststepJob(scene.context, 'demo', 'nonsense')

  assert.deepEqual([dry.state_before, dry.state_after, before.status], ['PENDING', 'REVIEW_REQUIRED', 'PENDING'])
  assert.deepEqual([after.status, stuck.status, stuck.reason], ['REVIEW_REQUIRED', 'INTERVENTION_REQUIRED', 'invalid'])
  assert.deepEqual(
    (await scene.history()).map(({ simulated, usage }) => [simulated, usage.input_tokens]),
    [
      [true, 0],
      [true, 0],
    ],
  )
  await assert.rejects(poststepJob(scene.context, 'demo', exit('COMPLETED'), 'worker'), { code: 'needs_person' })
})

test('[J19] [J35] what was answered by hand is told as such, and counts for no model', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const { driver } = scene.agent

  await scene.step()
  const { reason_text } = await poststepJob(scene.context, 'demo', '')

  assert.equal(reason_text, 'the Supervisor was answered for by hand, without a valid exit command: there is no JSON object in the answer')
  const begun = (await jobMovesOf(driver, 'demo')).filter(({ move }) => move === 'work' || move === 'review')
  assert.deepEqual(rowsOf(begun, 'move', 'note'), [
    ['work', ''],
    ['review', 'the Steward gives the answer by hand'],
  ])
  const metrics = await metricsOf(driver, 'demo')
  assert.deepEqual(
    [rowsOf(metrics.groups, 'role', 'interactions'), rowsOf(metrics.steps, 'simulated')],
    [[['Worker', 1]], [[false], [true]]],
  )
  assert.deepEqual((await replayJob(driver, 'demo')).differences, [])
})

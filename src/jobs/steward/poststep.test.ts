import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../../domain/test-each.ts'
import { jobMovesOf } from '../view/history.ts'
import { measureJobs } from '../view/metrics.ts'
import { poststepJob } from './poststep.ts'
import { replayJob } from '../replay/replay.ts'
import { exit, testJobs } from '../test-job.ts'
import { perform } from '../../domain/operation.ts'
import { tryInJobs } from '../context.ts'

test('[J19] poststep carries an answer through the same moves as a step; its dry run changes nothing', async (t) => {
  const scene = await testJobs(t, [])

  const tried = await tryInJobs(scene.context, (dry) => perform(poststepJob, dry, { job: 'demo', response_string: exit('COMPLETED') }))
  const before = await scene.job()
  const after = await perform(poststepJob, scene.context, {
    job: 'demo',
    response_string: `wrapped: {"response": ${exit('COMPLETED', ['a.txt'])}}`,
  })
  const stuck = await perform(poststepJob, scene.context, { job: 'demo', response_string: 'nonsense' })

  assert.deepEqual([tried.status, tried.moves, before.status, before.moves], ['REVIEW_REQUIRED', 3, 'PENDING', 1])
  assert.deepEqual([after.status, stuck.status, stuck.reason], ['REVIEW_REQUIRED', 'INTERVENTION_REQUIRED', 'invalid'])
  assert.deepEqual(
    (await scene.history()).map(({ simulated, usage }) => [simulated, usage.input_tokens]),
    [
      [true, 0],
      [true, 0],
    ],
  )
  await assert.rejects(perform(poststepJob, scene.context, { job: 'demo', response_string: exit('COMPLETED'), role: 'worker' }), {
    code: 'needs_person',
  })
})

test('[J19] [J35] what was answered by hand is told as such, and counts for no model', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const { driver } = scene.agent

  await scene.step()
  const { reason_text } = await perform(poststepJob, scene.context, { job: 'demo', response_string: '' })

  assert.equal(reason_text, 'the Supervisor was answered for by hand, without a valid exit command: there is no JSON object in the answer')
  const begun = (await jobMovesOf(driver, 'demo')).filter(({ move }) => move === 'work' || move === 'review')
  assert.deepEqual(rowsOf(begun, 'move', 'note'), [
    ['work', ''],
    ['review', 'the Steward gives the answer by hand'],
  ])
  const metrics = await perform(measureJobs, { agent: { driver } }, { job: 'demo' })
  assert.deepEqual(
    [rowsOf(metrics.groups, 'role', 'interactions'), rowsOf(metrics.steps, 'simulated')],
    [[['Worker', 1]], [[false], [true]]],
  )
  assert.deepEqual((await perform(replayJob, { agent: { driver } }, { job: 'demo' })).differences, [])
})

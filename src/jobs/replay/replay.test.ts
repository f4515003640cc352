import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JobInteraction } from '../../domain/job/history.ts'
import { each, rowsOf } from '../../domain/test-each.ts'
import type { Driver } from '../../store/driver.ts'
import { jobInteractions } from '../../store/tables.ts'
import { approveJob } from '../steward/approve.ts'
import { configureJob } from '../steward/configure.ts'
import { askOthers } from './counterfactual.ts'
import { interactionAt } from '../view/history.ts'
import { metricsCsv, measureJobs } from '../view/metrics.ts'
import { poststepJob } from '../steward/poststep.ts'
import { previewStep } from '../view/preview.ts'
import { rejectJob } from '../steward/reject.ts'
import { replayJob } from './replay.ts'
import { restepJob } from '../steward/restep.ts'
import { resubmitJob } from '../steward/resubmit.ts'
import { resumeJob, suspendJob } from '../steward/suspend.ts'
import { exit, makes, testJobs } from '../test-job.ts'
import { treeOf } from '../../../tests/tree.ts'
import { perform } from '../../domain/operation.ts'

const phases = [{ name: 'one' }, { name: 'two' }]

test('[J31] a recorded job replays without a model and without a difference, whatever happened in it', async (t) => {
  const scene = await testJobs(
    t,
    [
      makes('a1.txt'),
      { text: exit('RETRY') },
      { text: 'no command' },
      { text: exit('COMPLETED') },
      { text: exit('RETRY') },
      { text: exit('STUCK') },
      { text: exit('COMPLETED') },
      { text: exit('COMPLETED') },
      { text: exit('COMPLETED') },
      { text: 'twice' },
      { text: 'wrong' },
      { text: exit('COMPLETED') },
      { text: exit('COMPLETED') },
    ],
    { phases },
  )
  await scene.run()
  await perform(resubmitJob, scene.context, { job: 'demo', note: 'go on' })
  await scene.run()
  await perform(suspendJob, scene.context, { job: 'demo' })
  await perform(resumeJob, scene.context, { job: 'demo' })
  await perform(rejectJob, scene.context, { job: 'demo', reason: 'again' })
  await scene.run()
  await perform(resubmitJob, scene.context, { job: 'demo', note: 'look again', review: true })
  await scene.run()
  await perform(approveJob, scene.context, { job: 'demo' })
  await perform(poststepJob, scene.context, { job: 'demo', response_string: exit('COMPLETED') })
  await perform(restepJob, scene.context, { job: 'demo', step: 1, rollback: false })
  await scene.run()

  const replay = await perform(replayJob, { agent: { driver: scene.agent.driver } }, { job: 'demo' })

  assert.deepEqual(replay.differences, [])
  assert.equal(replay.interactions, (await scene.history()).length)
})

test('[J31] a replay reports where today’s table or reader would go another way', async (t) => {
  const scene = await testJobs(t, [{ text: exit('RETRY') }, { text: exit('COMPLETED') }, { text: exit('COMPLETED') }])
  await scene.run()
  const { driver } = scene.agent
  const limits = { max_retries: 0, max_rounds: 5, max_failures: 3 }
  await rewrite(driver, 1, (record) => ({ ...record, settings: { auto_approve: false, limits } }))
  await rewrite(driver, 2, ({ interaction, ...record }) => ({
    ...record,
    interaction: { ...interaction, response: { ...interaction.response, raw_response: exit('STUCK') } },
  }))
  await rewrite(driver, 3, (record) => ({ ...record, settings: { auto_approve: true, limits } }))

  const { differences } = await perform(replayJob, { agent: { driver } }, { job: 'demo' })
  const fromThree = await perform(replayJob, { agent: { driver } }, { job: 'demo', from: 3 })

  assert.deepEqual(
    differences.map(({ sequence, what, recorded, now }) => [sequence, what, recorded.slice(0, 30), now.slice(0, 30)]),
    [
      [1, 'state_after', 'PENDING', 'INTERVENTION_REQUIRED'],
      [2, 'command', '{"action":"COMPLETED","evidenc', '{"action":"STUCK","evidence_fi'],
      [2, 'state_after', 'REVIEW_REQUIRED', 'INTERVENTION_REQUIRED'],
      [3, 'state_after', 'APPROVAL_REQUIRED', 'SUCCESS'],
    ],
  )
  assert.deepEqual(each(fromThree.differences, 'sequence'), [3])
})

test('[J31] settings that were changed since are no difference: each exchange is judged by those it was decided by', async (t) => {
  const replies = ['COMPLETED', 'RETRY', 'COMPLETED', 'RETRY', 'COMPLETED', 'COMPLETED'].map((action) => ({ text: exit(action) }))
  const scene = await testJobs(t, replies, { limits: { max_rounds: 1 } })
  const stopped = await scene.run()
  await perform(configureJob, scene.context, { job: 'demo', spec: { limits: { max_rounds: 4 } } })
  await perform(resubmitJob, scene.context, { job: 'demo', note: 'go on' })
  await scene.run()
  await perform(configureJob, scene.context, { job: 'demo', spec: { auto_approve: true } })

  const { interactions, differences } = await perform(replayJob, { agent: { driver: scene.agent.driver } }, { job: 'demo' })

  assert.equal(stopped.reason, 'rounds')
  assert.deepEqual([interactions, differences], [6, []])
})

test('[J32] the recorded questions can be put to another model, in throw-away checkouts, without moving the job', async (t) => {
  const scene = await testJobs(t, [
    makes('hello.txt'),
    { text: exit('COMPLETED') },
    { text: exit('COMPLETED') },
    makes('other.txt'),
    { text: exit('STUCK', [], 'I would ask.') },
    { text: 'I have no opinion.' },
  ])
  const { workspace } = await scene.run()
  const before = [await treeOf(workspace), await scene.job()]

  const { answers, stopped } = await perform(askOthers, scene.context, { job: 'demo', from: 1, with_model: 'scripted/other' })

  assert.deepEqual(rowsOf(answers, 'sequence', 'recorded', 'now', 'summary'), [
    [1, 'COMPLETED', 'STUCK', 'I would ask.'],
    [2, 'COMPLETED', 'invalid', 'there is no JSON object in the answer'],
  ])
  assert.deepEqual([await treeOf(workspace), await scene.job(), stopped], [...before, false])
})

test('[J33] one interaction is a fixture for poststep', async (t) => {
  const scene = await testJobs(t, [{ text: `Here:\n${exit('RETRY')}` }])
  await scene.step()

  const { interaction: fixture } = await interactionAt(scene.agent.driver, 'demo', 1)
  const byRaw = await perform(poststepJob, scene.context, { job: 'demo', response_string: fixture.response.raw_response })
  const byResponse = await perform(poststepJob, scene.context, { job: 'demo', response_string: JSON.stringify(fixture) })

  assert.deepEqual([byRaw.status, byRaw.retries, byResponse.retries], ['PENDING', 2, 3])
  await assert.rejects(interactionAt(scene.agent.driver, 'demo', 7), { code: 'not_found' })
})

test('[J34] preview shows who acts next with which prompt and changes nothing', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt'], 'I made hello.') }], {
    checks: [{ name: 'greets', command: 'grep -q hello hello.txt' }],
    acceptance_criteria: ['It greets.'],
  })
  const job = await scene.step()
  const before = [await treeOf(job.directory), job]

  const preview = await perform(previewStep, scene.context, { job: 'demo' })

  assert.deepEqual([preview.seat, preview.request.metadata.role], ['supervisor', 'Supervisor'])
  for (const part of [/It greets\./, /I made hello\./, /hello\.txt: changed \(added, \+1 -0\)/, /greets: (passed|FAILED)/, /\+hello/])
    assert.match(preview.request.prompt, part)
  assert.deepEqual(preview.request.files_context, ['hello.txt'])
  assert.deepEqual([await treeOf(job.directory), await scene.job()], before)
})

test('[J35] metrics tell success by role and model, cost and retries', async (t) => {
  const usage = { input_tokens: 5, output_tokens: 5, cost_microusd: 100 }
  const scene = await testJobs(t, [
    { text: exit('RETRY'), usage },
    { text: exit('COMPLETED'), usage },
    { text: exit('COMPLETED'), usage },
  ])
  await scene.run()

  const metrics = await perform(measureJobs, { agent: { driver: scene.agent.driver } }, { job: 'demo' })

  assert.deepEqual(rowsOf(metrics.groups, 'role', 'interactions', 'COMPLETED', 'RETRY', 'success_rate', 'cost_microusd'), [
    ['Worker', 2, 1, 1, 0.5, 200],
    ['Supervisor', 1, 1, 0, 1, 100],
  ])
  assert.deepEqual([metrics.jobs, metrics.projection?.cost_microusd], [{ APPROVAL_REQUIRED: 1 }, 300])
  assert.equal(metricsCsv(metrics).split('\n').length, 4)
})

test('[J35] metrics that were told before read only the exchanges since', async (t) => {
  const scene = await testJobs(t, [{ text: exit('RETRY') }, { text: exit('RETRY') }, { text: exit('COMPLETED') }])
  const { driver } = scene.agent
  const read: unknown[] = []
  const counting: Driver = {
    ...driver,
    async query<Row>(sql: string, params?: readonly unknown[]) {
      const rows = await driver.query<Row & { id?: string }>(sql, params)
      if (sql.includes('data from "job_interactions"')) read.push(...rows.map(({ id }) => id))
      return rows
    },
  }

  await scene.step()
  await scene.step()
  const two = await perform(measureJobs, { agent: { driver: counting } }, {})
  await scene.step()
  const three = await perform(measureJobs, { agent: { driver: counting } }, { job: 'demo' })

  assert.deepEqual([two.steps.length, three.steps.map(({ sequence }) => sequence)], [2, [1, 2, 3]])
  assert.equal(read.length, 3)
})

/** A record as another program would have left it. */
async function rewrite(driver: Driver, sequence: number, change: (record: JobInteraction) => JobInteraction): Promise<void> {
  const [was = assert.fail()] = await jobInteractions.list(driver, { where: { job_id: 'demo', sequence } })
  await jobInteractions.replace(driver, was, change(was.item))
}

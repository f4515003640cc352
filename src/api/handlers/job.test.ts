import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exit, makes } from '../../jobs/test-job.ts'
import { until } from '../../sandbox/test-until.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { handlers } from '../handlers.ts'
import { serveForTest } from '../test-server.ts'

test('[J39] a job is made, stepped, decided about and looked at over the API, and what waits for its Steward is listed', async (t) => {
  const replies = [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt']) }, { text: exit('COMPLETED') }]
  const server = await serveForTest(t, { handlers, replies })
  const { root } = await makeTestRepository(t)

  const made = await server.send('POST', '/api/jobs', { id: 'demo', source: root, activate: true, settings: { objective: 'Say hello' } })
  const started = await server.send('POST', '/api/jobs/demo/step', { how_far: 'run' })
  await until(() => server.services.jobs.playing.size === 0)
  const waiting = await server.send('GET', '/api/jobs')
  const needs = await server.send('GET', '/api/needs')
  const { body: told } = await server.send('GET', '/api/jobs/demo/exchanges')
  const configured = await server.send('PATCH', '/api/jobs/demo/config', { settings: { description: 'A greeting' } })
  const refused = [
    await server.send('PATCH', '/api/jobs/demo/config', { settings: { colour: 1 } }),
    await server.send('POST', '/api/jobs/demo/step', {}),
  ]
  const unread = await server.send('POST', '/api/jobs/demo/moves', { move: 'approve', moves: made.body.job.moves })
  const { body: read } = await server.send('GET', '/api/jobs/demo')
  const approved = await server.send('POST', '/api/jobs/demo/moves', { move: 'approve', moves: read.job.moves })
  const looks = await Promise.all(
    ['/api/jobs/demo/replay', '/api/jobs/demo/diff', '/api/job-metrics?job=demo'].map((path) => server.send('GET', path)),
  )

  assert.deepEqual([made.body.job.status, made.body.summary.queue, started.body], ['PENDING', 0, { started: true }])
  assert.deepEqual(
    [waiting.body.jobs[0].status, waiting.body.jobs[0].needs_person, needs.body.needs[0].link],
    ['APPROVAL_REQUIRED', true, '/jobs/demo'],
  )
  assert.deepEqual([told.exchanges[0].seat, told.exchanges[1].evidence.claimed[0].found, told.earlier], ['supervisor', 'changed', false])
  assert.deepEqual([configured.body.job.description, configured.body.job.objective], ['A greeting', 'Say hello'])
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.error.code]),
    [
      [400, 'bad_input'],
      [409, 'move_refused'],
    ],
  )
  assert.deepEqual([unread.status, unread.body.error.code, read.job.status], [409, 'conflict', 'APPROVAL_REQUIRED'])
  assert.equal(approved.body.job.status, 'SUCCESS')
  assert.deepEqual([looks[0]?.body.differences, looks[1]?.body.files[0].path, looks[2]?.body.groups.length], [[], 'hello.txt', 2])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { exit, makes } from '../../jobs/test-job.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { handlers } from '../handlers.ts'
import { serveForTest } from '../test-server.ts'

test('[J39] a job is made, stepped, decided about and looked at over the API, and what waits for its Steward is listed', async (t) => {
  const replies = [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt']) }, { text: exit('COMPLETED') }]
  const server = await serveForTest(t, { handlers, replies })
  const { root } = await makeTestRepository(t)
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await server.ask(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    return { status, json: JSON.parse(text) }
  }

  const made = await call('POST', '/api/jobs', { id: 'demo', source: root, activate: true, settings: { objective: 'Say hello' } })
  const started = await call('POST', '/api/jobs/demo/step', { how_far: 'run' })
  while (server.services.jobs.playing.size > 0) await sleep(10)
  const waiting = await call('GET', '/api/jobs')
  const needs = await call('GET', '/api/needs')
  const { json: told } = await call('GET', '/api/jobs/demo/exchanges')
  const configured = await call('PATCH', '/api/jobs/demo/config', { settings: { description: 'A greeting' } })
  const refused = [await call('PATCH', '/api/jobs/demo/config', { settings: { colour: 1 } }), await call('POST', '/api/jobs/demo/step', {})]
  const unread = await call('POST', '/api/jobs/demo/moves', { move: 'approve', moves: made.json.job.moves })
  const { json: read } = await call('GET', '/api/jobs/demo')
  const approved = await call('POST', '/api/jobs/demo/moves', { move: 'approve', moves: read.job.moves })
  const looks = await Promise.all(
    ['/api/jobs/demo/replay', '/api/jobs/demo/diff', '/api/job-metrics?job=demo'].map((path) => call('GET', path)),
  )

  assert.deepEqual([made.json.job.status, made.json.summary.queue, started.json], ['PENDING', 0, { started: true }])
  assert.deepEqual(
    [waiting.json.jobs[0].status, waiting.json.jobs[0].needs_person, needs.json.needs[0].link],
    ['APPROVAL_REQUIRED', true, '/jobs/demo'],
  )
  assert.deepEqual([told.exchanges[0].seat, told.exchanges[1].evidence.claimed[0].found, told.earlier], ['supervisor', 'changed', false])
  assert.deepEqual([configured.json.job.description, configured.json.job.objective], ['A greeting', 'Say hello'])
  assert.deepEqual(
    refused.map(({ status, json }) => [status, json.error.code]),
    [
      [400, 'bad_input'],
      [409, 'move_refused'],
    ],
  )
  assert.deepEqual([unread.status, unread.json.error.code, read.job.status], [409, 'conflict', 'APPROVAL_REQUIRED'])
  assert.equal(approved.json.job.status, 'SUCCESS')
  assert.deepEqual([looks[0]?.json.differences, looks[1]?.json.files[0].path, looks[2]?.json.groups.length], [[], 'hello.txt', 2])
})

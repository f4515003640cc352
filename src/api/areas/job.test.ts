import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { treeOf } from '../../../tests/tree.ts'
import { exit, makes } from '../../jobs/test-job.ts'
import { until } from '../../sandbox/test-until.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { log } from '../../store/log.ts'
import { gitText } from '../../worktrees/repository.ts'
import { makeTestRepository } from '../../worktrees/test-repository.ts'
import { serveForTest, type TestServer } from '../test-server.ts'

const replies = [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt']) }, { text: exit('COMPLETED') }, { text: 'It greets.' }]

test('[J39] a job is made, stepped, decided about as it was read and looked at over the API, and what waits for its Steward is listed', async (t) => {
  const server = await serveForTest(t, { replies })
  const { root } = await makeTestRepository(t)

  const made = await act(server, 'create', { id: 'demo', source: root, objective: 'Say hello', activate: true })
  const started = await act(server, 'start', { job: 'demo', how_far: 'run' })
  await until(() => server.services.jobs.playing.size === 0)
  const waiting = await server.send('GET', '/api/job/list')
  const needs = await server.send('GET', '/api/system/list_needs')
  const { body: told } = await server.send('GET', '/api/job/timeline?job=demo&limit=5')
  const again = await act(server, 'start', { job: 'demo' })
  const unread = await act(server, 'approve', { job: 'demo', moves: made.body.moves })
  const { body: read } = await server.send('GET', '/api/job/status?job=demo')
  const approved = await act(server, 'approve', { job: 'demo', moves: read.job.moves })
  const looks = await Promise.all(['replay', 'diff', 'metrics'].map((verb) => server.send('GET', `/api/job/${verb}?job=demo`)))

  assert.deepEqual([made.body.status, started.body], ['PENDING', { started: true }])
  assert.deepEqual(
    [waiting.body.jobs[0].status, waiting.body.jobs[0].needs_person, needs.body.needs[0].link],
    ['APPROVAL_REQUIRED', true, '/jobs/demo'],
  )
  assert.deepEqual([told.exchanges[0].seat, told.exchanges[1].evidence.claimed[0].found, told.earlier], ['supervisor', 'changed', false])
  assert.deepEqual([again.status, again.body.error.code], [409, 'move_refused'])
  assert.deepEqual([unread.status, unread.body.error.code, read.job.status], [409, 'conflict', 'APPROVAL_REQUIRED'])
  assert.equal(approved.body.status, 'SUCCESS')
  assert.deepEqual([looks[0]?.body.differences, looks[1]?.body.files[0].path, looks[2]?.body.groups.length], [[], 'hello.txt', 2])
})

test('[J70] settings are flat fields: one that is named changes, null takes a limit away, and what is not a field is refused', async (t) => {
  const server = await serveForTest(t)
  const { root } = await makeTestRepository(t)
  const fields = { objective: 'Say hello', phase: ['one', 'two: the rest'], check: ['there=test -f a.txt'], worker_model: 'scripted/a' }
  await act(server, 'create', { id: 'demo', source: root, max_cost_usd: 2, max_minutes: 3, max_rounds: 4, ...fields })

  const { body: changed } = await act(server, 'configure', { job: 'demo', max_cost_usd: null, max_rounds: 2, temperature: 1 })
  const refused = await act(server, 'configure', { job: 'demo', colour: 1, max_rounds: 'many' })
  const { body: spec } = await act(server, 'configure', {
    job: 'demo',
    spec: { job_spec: { objective: 'Bye', details: 'Soon' } },
    details: 'Now',
  })

  const { limits, roles, phases, checks } = changed
  assert.deepEqual([limits.max_cost_microusd, limits.max_wall_ms, limits.max_rounds], [null, 180_000, 2])
  assert.deepEqual([roles.worker.model, roles.worker.temperature, roles.supervisor.temperature], ['scripted/a', 1, 1])
  assert.deepEqual([phases[1].name, phases[1].description, checks[0].command], ['two', 'the rest', 'test -f a.txt'])
  assert.deepEqual([refused.status, refused.body.error.details.issues.length], [400, 2])
  assert.deepEqual([spec.objective, spec.details, spec.limits.max_rounds], ['Bye', 'Now', 2])
})

test('[J71] what is done with a job in the terminal is done over the API too: restep, talk, merge, export, clean up; tried, it changes nothing', async (t) => {
  const server = await serveForTest(t, { replies: replies.slice(3) })
  const { root } = await makeTestRepository(t)
  const out = join(await testFolder(t), 'demo.patch')
  const { driver, jobs } = server.services
  await gitText(root, ['branch', 'release'])
  const steps: [string, Record<string, unknown>][] = [
    ['create', { id: 'demo', source: root, objective: 'Say hello', activate: true }],
    ['rank', { job: 'demo', rank: 0 }],
    ['poststep', byHand('COMPLETED')],
    ['restep', { job: 'demo', step: 1, rollback: true }],
    ['suspend', { job: 'demo' }],
    ['resume', { job: 'demo' }],
    ['poststep', byHand('STUCK')],
    ['resubmit', { job: 'demo', review: true }],
    ['poststep', byHand('COMPLETED')],
    ['reject', { job: 'demo', reason: 'Too short' }],
    ['poststep', byHand('COMPLETED')],
    ['poststep', byHand('COMPLETED')],
    ['approve', { job: 'demo' }],
    ['merge', { job: 'demo', into: 'release' }],
    ['export', { job: 'demo', out }],
    ['cleanup', { job: 'demo' }],
    ['recover', {}],
  ]
  const stateOf = async () => [
    await log.last(driver),
    await gitText(root, ['for-each-ref']),
    await treeOf(jobs.jobsDir).catch(() => ({})),
    existsSync(out),
  ]

  const [talked, codes]: [unknown[], unknown[]] = [[], []]
  for (const [verb, input] of steps) {
    const before = await stateOf()
    const tried = await act(server, verb, { ...input, dry_run: true })
    assert.deepEqual([verb, tried.status, await stateOf()], [verb, 200, before])
    if (verb === 'merge') talked.push((await act(server, 'chat', { job: 'demo', text: 'What is it?' })).body.text)
    codes.push((await act(server, verb, input)).status)
  }

  assert.deepEqual(new Set(codes), new Set([200]))
  assert.deepEqual(talked, ['It greets.'])
  assert.equal((await server.send('GET', '/api/job/status?job=demo')).body.has_workspace, false)
  assert.ok(existsSync(out))
})

function byHand(action: string) {
  return { job: 'demo', response_string: exit(action) }
}

/** Does an operation of the jobs over HTTP. */
function act(server: TestServer, verb: string, input: Record<string, unknown>) {
  return server.send('POST', `/api/job/${verb}`, input)
}

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { noSandbox } from '../sandbox/test-no-sandbox.ts'
import { until } from '../sandbox/test-until.ts'
import { gitText } from '../worktrees/repository.ts'
import { makeTestRepository } from '../worktrees/test-repository.ts'
import { activateJob } from './activate.ts'
import { approveJob } from './approve.ts'
import { cancelJob } from './cancel.ts'
import { chatAboutJob } from './chat.ts'
import { cleanUp } from './cleanup.ts'
import { createJob } from './create.ts'
import { rejectJob } from './reject.ts'
import { restepJob } from './restep.ts'
import { exportPatch, mergeJob } from './view/result.ts'
import { resubmitJob } from './resubmit.ts'
import { resumeJob, suspendJob } from './suspend.ts'
import { exit, makes, never, testJobs, type TestJob } from './test-job.ts'
import { viewJob } from './view/job.ts'

test(
  '[J64] whoever is to approve is told which checks failed and which claimed files are not there, and nobody else is',
  { skip: noSandbox },
  async (t) => {
    const checks = [
      { name: 'fine', command: 'true' },
      { name: 'lint', command: 'false' },
    ]
    const scene = await testJobs(t, [{ text: exit('COMPLETED', ['a.txt', 'gone.txt']) }, { text: exit('COMPLETED') }], { checks })
    const doubts = async () => (await viewJob(scene.agent.driver, 'demo')).doubts

    await scene.step()
    const early = await doubts()
    await scene.step()
    const waiting = await doubts()
    await approveJob(scene.context, 'demo')

    assert.deepEqual(early, [])
    assert.deepEqual(waiting, ['the check lint failed', 'gone.txt was claimed and is not there'])
    assert.deepEqual(await doubts(), [])
  },
)

test('[J17] the Supervisor’s feedback, a rejection and a Steward’s note each stand in the next Worker’s prompt', async (t) => {
  const scene = await testJobs(t, [
    { text: exit('COMPLETED') },
    { text: exit('RETRY', [], 'Line 3 of a.txt is wrong.') },
    { text: exit('COMPLETED') },
    { text: exit('COMPLETED') },
    { text: exit('STUCK', [], 'Which greeting?') },
    { text: exit('COMPLETED') },
  ])

  await scene.run()
  await rejectJob(scene.context, 'demo', 'Too short.')
  const stuck = await scene.run()
  await resubmitJob(scene.context, 'demo', 'Say hello, not hi.')
  await scene.step()

  assert.equal(stuck.reason, 'stuck')
  assert.match(systemOf(scene, 2), /supervisor: Line 3 of a\.txt is wrong\./)
  assert.match(systemOf(scene, 4), /steward: Rejected: Too short\./)
  assert.match(systemOf(scene, 5), /worker: .*Which greeting\?\n- steward: Say hello, not hi\./)
  await assert.rejects(async () => rejectJob(scene.context, 'demo', ' '), { code: 'bad_input' })
})

test('[J17] a note given with an approval or a pause stands in the next prompt as well', async (t) => {
  const replies = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'].map((action) => ({ text: exit(action) }))
  const scene = await testJobs(t, replies, { phases: [{ name: 'one' }, { name: 'two' }] })
  await scene.run()

  await approveJob(scene.context, 'demo', 'Use tabs from here on.')
  await suspendJob(scene.context, 'demo', 'Wait for the new logo.')
  await resumeJob(scene.context, 'demo')
  await scene.run()

  assert.match(systemOf(scene, 2), /steward: Use tabs from here on\.\n- steward: Wait for the new logo\./)
})

test('[J18] a suspended job goes on in the state it had, and a suspended agent is stopped with its exchange recorded', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }, { text: exit('COMPLETED'), fail: 'hang' }])
  await scene.step()

  await suspendJob(scene.context, 'demo')
  const resumed = await resumeJob(scene.context, 'demo')
  const stepping = scene.step()
  await until(() => scene.requests.length === 2)
  const suspended = await suspendJob(scene.context, 'demo')
  await stepping
  const again = await resumeJob(scene.context, 'demo')
  const approved = await scene.step()

  assert.deepEqual(
    [resumed.status, suspended.status, suspended.active, again.status, approved.status],
    ['REVIEW_REQUIRED', 'SUSPENDED', null, 'REVIEW_REQUIRED', 'APPROVAL_REQUIRED'],
  )
  assert.deepEqual(await scene.answers(), ['SUCCESS', 'ERROR', 'SUCCESS'])
})

test('[J2] a cancelled job stops its agent and takes no further move', async (t) => {
  const scene = await testJobs(t, [{ fail: 'hang' }])
  const stepping = scene.step()
  await until(async () => (await scene.job()).status === 'RUNNING')

  const canceled = await cancelJob(scene.context, 'demo', 'not wanted')
  await stepping

  assert.deepEqual([canceled.status, canceled.active], ['CANCELED', null])
  await assert.rejects(scene.step(), { code: 'move_refused' })
  await assert.rejects(resubmitJob(scene.context, 'demo', ''), { code: 'move_refused' })
  await assert.rejects(approveJob(scene.context, 'demo'), { code: 'move_refused' })
})

test('[J20] restep goes back to a step and can bring the workspace back with it; what is rolled back is kept under a ref', async (t) => {
  const [done, sentBack] = [{ text: exit('COMPLETED') }, { text: exit('RETRY') }]
  const scene = await testJobs(t, [makes('one.txt'), done, sentBack, makes('two.txt'), done])
  await scene.step()
  await scene.step()
  const { head_commit: lost, workspace } = await scene.step()

  const back = await restepJob(scene.context, 'demo', { sequence: 3, rollback: true, note: 'Do it in one file.' })

  assert.deepEqual([back.status, back.rounds], ['PENDING', 0])
  assert.deepEqual([existsSync(join(workspace, 'one.txt')), existsSync(join(workspace, 'two.txt'))], [true, false])
  const refs = await gitText(scene.repository.root, ['for-each-ref', '--format=%(objectname)', 'refs/troupe/jobs/demo'])
  assert.equal(refs, lost)
  assert.equal((await scene.history()).length, 3)
  await assert.rejects(restepJob(scene.context, 'demo', { sequence: 9, rollback: false }), { code: 'not_found' })
})

test('[J21] a success is exported as a patch that applies, merged without a checkout, and cleaned up without losing it', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED') }, { text: exit('COMPLETED') }], { auto_approve: true })
  const { root } = scene.repository
  await gitText(root, ['branch', 'release'])
  await assert.rejects(mergeJob(scene.context, 'demo', 'release'), { code: 'move_refused' })
  const done = await scene.run()

  const patch = await exportPatch(done, join(scene.workspace, 'demo.patch'))
  const merged = await mergeJob(scene.context, 'demo', 'release')
  const twice = await mergeJob(scene.context, 'demo', 'release')
  const dry = await cleanUp(scene.context, { dryRun: true })
  const kept = existsSync(done.workspace)
  const cleaned = await cleanUp(scene.context, { dryRun: false })

  assert.equal(done.status, 'SUCCESS')
  await gitText(root, ['apply', '--check', patch])
  assert.match(await readFile(patch, 'utf8'), /\+hello/)
  assert.equal(await gitText(root, ['show', 'release:hello.txt']), 'hello')
  assert.equal(await gitText(root, ['rev-parse', 'release']), merged.merged_commit)
  assert.equal(twice.merged_commit, merged.merged_commit)
  await assert.rejects(mergeJob(scene.context, 'demo', 'main'), {
    code: 'conflict',
    message: /checked out.*git merge [0-9a-f]{12}\).*--into/,
  })
  await assert.rejects(exportPatch(done, patch), { code: 'conflict', message: /demo\.patch is there already; choose another name/ })
  assert.deepEqual([dry.length, kept, existsSync(done.workspace)], [1, true, false])
  assert.equal(await gitText(root, ['rev-parse', cleaned[0]?.kept_as ?? '']), done.head_commit)
})

test('[J21] a workspace that cannot be taken away stays, says why, and holds up no other', async (t) => {
  const scene = await testJobs(t, [])
  const elsewhere = await makeTestRepository(t)
  await createJob(scene.context, { id: 'adrift', source: elsewhere.root, settings: { objective: 'Say hello' } })
  await activateJob(scene.context, 'adrift')
  for (const id of ['adrift', 'demo']) await cancelJob(scene.context, id)
  await rm(elsewhere.root, { recursive: true })

  const cleaned = await cleanUp(scene.context, { dryRun: false })

  const { demo, adrift } = Object.fromEntries(cleaned.map((each) => [each.job_id, each]))
  assert.deepEqual([demo?.problem, existsSync(demo?.workspace ?? '/')], [null, false])
  assert.match(adrift?.problem?.message ?? '', /is no longer at .*; say where it is with troupe job config adrift --source PATH/)
  assert.ok(existsSync(adrift?.workspace ?? ''))
})

test('[J22] one can talk about a job between its steps without moving it', async (t) => {
  const scene = await testJobs(t, [{ text: 'It says hello.' }, { text: 'As I said.' }])

  const first = await chatAboutJob(scene.context, 'demo', { text: 'What does it do?', role: 'reviewer', signal: never })
  await chatAboutJob(scene.context, 'demo', { text: 'Sure?', role: 'reviewer', signal: never })

  assert.equal(first.text, 'It says hello.')
  assert.equal(scene.requests[1]?.entries.length, 3)
  assert.ok(scene.requests[0]?.tools.every(({ name }) => !['create_file', 'execute_command', 'exit'].includes(name)))
  assert.deepEqual([(await scene.job()).status, await scene.history()], ['PENDING', []])
})

test('[J22] [J12] [C65] a talk that says nothing, or whose job has no workspace yet or any more, is refused before anyone is asked', async (t) => {
  const scene = await testJobs(t, [])
  const talk = (text: string, id = 'demo') => chatAboutJob(scene.context, id, { text, role: 'worker', signal: never })
  await createJob(scene.context, { id: 'draft', source: scene.repository.root, settings: { objective: 'Say hello' } })

  await assert.rejects(talk(' \n'), { code: 'bad_input', message: 'a talk about demo begins with words; say what you want to know' })
  await assert.rejects(talk('Write it here', 'draft'), {
    code: 'not_found',
    message: 'the draft draft has no workspace yet; make it with troupe job activate draft',
  })
  await cancelJob(scene.context, 'demo')
  await cleanUp(scene.context, { dryRun: false })
  await assert.rejects(talk('What does it do?'), {
    code: 'not_found',
    message: 'the workspace of demo is gone; what was said and done is shown by troupe job history demo',
  })

  assert.equal(scene.requests.length, 0)
})

function systemOf(scene: TestJob, request: number): string {
  return scene.requests[request]?.system ?? ''
}

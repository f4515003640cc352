import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { noSandbox } from '../sandbox/test-no-sandbox.ts'
import { until } from '../sandbox/test-until.ts'
import { gitText } from '../worktrees/repository.ts'
import { makeTestRepository } from '../worktrees/test-repository.ts'
import { activateJob } from './steward/activate.ts'
import { approveJob } from './steward/approve.ts'
import { cancelJob } from './steward/cancel.ts'
import { chatAboutJob } from './chat.ts'
import { cleanUpJobs } from './cleanup.ts'
import { rejectJob } from './steward/reject.ts'
import { restepJob } from './steward/restep.ts'
import { mergeJob } from './merge.ts'
import { exportJob } from './view/diff.ts'
import { resubmitJob } from './steward/resubmit.ts'
import { resumeJob, suspendJob } from './steward/suspend.ts'
import { exit, makes, testJobs, type TestJob, makeJob } from './test-job.ts'
import { jobStatus } from './view/job.ts'
import { perform } from '../domain/operation.ts'
import { tryInJobs } from './context.ts'

test(
  '[J64] whoever is to approve is told which checks failed and which claimed files are not there, and nobody else is',
  { skip: noSandbox },
  async (t) => {
    const checks = [
      { name: 'fine', command: 'true' },
      { name: 'lint', command: 'false' },
    ]
    const scene = await testJobs(t, [{ text: exit('COMPLETED', ['a.txt', 'gone.txt']) }, { text: exit('COMPLETED') }], { checks })
    const doubts = async () => (await perform(jobStatus, { agent: { driver: scene.agent.driver } }, { job: 'demo' })).doubts

    await scene.step()
    const early = await doubts()
    await scene.step()
    const waiting = await doubts()
    await perform(approveJob, scene.context, { job: 'demo' })

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
  await perform(rejectJob, scene.context, { job: 'demo', reason: 'Too short.' })
  const stuck = await scene.run()
  await perform(resubmitJob, scene.context, { job: 'demo', note: 'Say hello, not hi.' })
  await scene.step()

  assert.equal(stuck.reason, 'stuck')
  assert.match(systemOf(scene, 2), /supervisor: Line 3 of a\.txt is wrong\./)
  assert.match(systemOf(scene, 4), /steward: Rejected: Too short\./)
  assert.match(systemOf(scene, 5), /worker: .*Which greeting\?\n- steward: Say hello, not hi\./)
  await assert.rejects(async () => perform(rejectJob, scene.context, { job: 'demo', reason: ' ' }), { code: 'bad_input' })
})

test('[J17] a note given with an approval or a pause stands in the next prompt as well', async (t) => {
  const replies = ['COMPLETED', 'COMPLETED', 'COMPLETED', 'COMPLETED'].map((action) => ({ text: exit(action) }))
  const scene = await testJobs(t, replies, { phases: [{ name: 'one' }, { name: 'two' }] })
  await scene.run()

  await perform(approveJob, scene.context, { job: 'demo', note: 'Use tabs from here on.' })
  await perform(suspendJob, scene.context, { job: 'demo', note: 'Wait for the new logo.' })
  await perform(resumeJob, scene.context, { job: 'demo' })
  await scene.run()

  assert.match(systemOf(scene, 2), /steward: Use tabs from here on\.\n- steward: Wait for the new logo\./)
})

test('[J18] a suspended job goes on in the state it had, and a suspended agent is stopped with its exchange recorded', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }, { text: exit('COMPLETED'), fail: 'hang' }])
  await scene.step()

  await perform(suspendJob, scene.context, { job: 'demo' })
  const resumed = await perform(resumeJob, scene.context, { job: 'demo' })
  const stepping = scene.step()
  await until(() => scene.requests.length === 2)
  const suspended = await perform(suspendJob, scene.context, { job: 'demo' })
  await stepping
  const again = await perform(resumeJob, scene.context, { job: 'demo' })
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

  const canceled = await perform(cancelJob, scene.context, { job: 'demo', note: 'not wanted' })
  await stepping

  assert.deepEqual([canceled.status, canceled.active], ['CANCELED', null])
  await assert.rejects(scene.step(), { code: 'move_refused' })
  await assert.rejects(perform(resubmitJob, scene.context, { job: 'demo' }), { code: 'move_refused' })
  await assert.rejects(perform(approveJob, scene.context, { job: 'demo' }), { code: 'move_refused' })
})

test('[J20] restep goes back to a step and can bring the workspace back with it; what is rolled back is kept under a ref', async (t) => {
  const [done, sentBack] = [{ text: exit('COMPLETED') }, { text: exit('RETRY') }]
  const scene = await testJobs(t, [makes('one.txt'), done, sentBack, makes('two.txt'), done])
  await scene.step()
  await scene.step()
  const { head_commit: lost, workspace } = await scene.step()

  const back = await perform(restepJob, scene.context, { job: 'demo', step: 3, rollback: true, note: 'Do it in one file.' })

  assert.deepEqual([back.status, back.rounds], ['PENDING', 0])
  assert.deepEqual([existsSync(join(workspace, 'one.txt')), existsSync(join(workspace, 'two.txt'))], [true, false])
  const refs = await gitText(scene.repository.root, ['for-each-ref', '--format=%(objectname)', 'refs/troupe/jobs/demo'])
  assert.equal(refs, lost)
  assert.equal((await scene.history()).length, 3)
  await assert.rejects(perform(restepJob, scene.context, { job: 'demo', step: 9, rollback: false }), { code: 'not_found' })
})

test('[J21] a success is exported as a patch that applies, merged without a checkout, and cleaned up without losing it', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED') }, { text: exit('COMPLETED') }], { auto_approve: true })
  const { root } = scene.repository
  await gitText(root, ['branch', 'release'])
  await assert.rejects(perform(mergeJob, scene.context, { job: 'demo', into: 'release' }), { code: 'move_refused' })
  const done = await scene.run()

  const { file: patch } = await perform(exportJob, scene.context, { job: 'demo', out: join(scene.workspace, 'demo.patch') })
  const merged = await perform(mergeJob, scene.context, { job: 'demo', into: 'release' })
  const twice = await perform(mergeJob, scene.context, { job: 'demo', into: 'release' })
  const { cleaned: wouldClean } = await tryInJobs(scene.context, (dry) => perform(cleanUpJobs, dry, {}))
  const kept = existsSync(done.workspace)
  const { cleaned } = await perform(cleanUpJobs, scene.context, {})

  assert.equal(done.status, 'SUCCESS')
  await gitText(root, ['apply', '--check', patch])
  assert.match(await readFile(patch, 'utf8'), /\+hello/)
  assert.equal(await gitText(root, ['show', 'release:hello.txt']), 'hello')
  assert.equal(await gitText(root, ['rev-parse', 'release']), merged.merged_commit)
  assert.equal(twice.merged_commit, merged.merged_commit)
  await assert.rejects(perform(mergeJob, scene.context, { job: 'demo', into: 'main' }), {
    code: 'conflict',
    message: /git merge [0-9a-f]{12}\)/,
  })
  await assert.rejects(perform(exportJob, scene.context, { job: 'demo', out: patch }), {
    code: 'conflict',
    message: /demo\.patch is there already; choose another name/,
  })
  assert.deepEqual([wouldClean.length, kept, existsSync(done.workspace)], [1, true, false])
  assert.equal(await gitText(root, ['rev-parse', cleaned[0]?.kept_as ?? '']), done.head_commit)
})

test('[J21] a workspace that cannot be taken away stays, says why, and holds up no other', async (t) => {
  const scene = await testJobs(t, [])
  const elsewhere = await makeTestRepository(t)
  await makeJob(scene.context, { id: 'adrift', source: elsewhere.root, spec: { objective: 'Say hello' } })
  await perform(activateJob, scene.context, { job: 'adrift' })
  for (const id of ['adrift', 'demo']) await perform(cancelJob, scene.context, { job: id })
  await rm(elsewhere.root, { recursive: true })

  const { cleaned } = await perform(cleanUpJobs, scene.context, {})

  const { demo, adrift } = Object.fromEntries(cleaned.map((each) => [each.job_id, each]))
  assert.deepEqual([demo?.problem, existsSync(demo?.workspace ?? '/')], [null, false])
  assert.match(adrift?.problem?.message ?? '', /is no longer at /)
  assert.ok(existsSync(adrift?.workspace ?? ''))
})

test('[J22] one can talk about a job between its steps without moving it', async (t) => {
  const scene = await testJobs(t, [{ text: 'It says hello.' }, { text: 'As I said.' }])

  const first = await perform(chatAboutJob, scene.context, { job: 'demo', text: 'What does it do?', role: 'reviewer' })
  await perform(chatAboutJob, scene.context, { job: 'demo', text: 'Sure?', role: 'reviewer' })

  assert.equal(first.text, 'It says hello.')
  assert.equal(scene.requests[1]?.entries.length, 3)
  assert.ok(scene.requests[0]?.tools.every(({ name }) => !['create_file', 'execute_command', 'exit'].includes(name)))
  assert.deepEqual([(await scene.job()).status, await scene.history()], ['PENDING', []])
})

test('[J22] [J12] [C65] a talk that says nothing, or whose job has no workspace yet or any more, is refused before anyone is asked', async (t) => {
  const scene = await testJobs(t, [])
  const talk = (text: string, id = 'demo') => perform(chatAboutJob, scene.context, { job: id, text, role: 'worker' })
  await makeJob(scene.context, { id: 'draft', source: scene.repository.root, spec: { objective: 'Say hello' } })

  await assert.rejects(talk(' \n'), { code: 'bad_input' })
  await assert.rejects(talk('Write it here', 'draft'), {
    code: 'not_found',
    next: [{ operation: 'job.activate', input: { job: 'draft' } }],
  })
  await perform(cancelJob, scene.context, { job: 'demo' })
  await perform(cleanUpJobs, scene.context, {})
  await assert.rejects(talk('What does it do?'), {
    code: 'not_found',
    next: [{ operation: 'job.history', input: { job: 'demo' } }],
  })

  assert.equal(scene.requests.length, 0)
})

function systemOf(scene: TestJob, request: number): string {
  return scene.requests[request]?.system ?? ''
}

import assert from 'node:assert/strict'
import { appendFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { goneHolder } from '../../agent/test-agent.ts'
import { each } from '../../domain/test-each.ts'
import { jobs, runs } from '../../store/tables.ts'
import { gitText } from '../../worktrees/repository.ts'
import { beginStep } from './begin.ts'
import { cancelJob } from '../steward/cancel.ts'
import { configureJob } from '../steward/configure.ts'
import { jobMovesOf } from '../view/history.ts'
import { recoverJobs } from './recover.ts'
import { replayJob } from '../replay/replay.ts'
import { exit, makes, testJobs, type TestJob } from '../test-job.ts'
import { perform } from '../../domain/operation.ts'

test('[J41] of two steps at once one is made and the other is told who is at work', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED'), delay_ms: 300 }, { text: exit('COMPLETED') }])

  const steps = await Promise.allSettled([scene.step(), scene.step()])

  const refused = steps.flatMap((step) => (step.status === 'rejected' ? [step.reason as { code: string }] : [])) // a Problem
  assert.deepEqual(each(refused, 'code'), ['busy'])
  assert.deepEqual([(await scene.history()).length, (await scene.job()).status], [1, 'REVIEW_REQUIRED'])
})

test('[J42] recover settles a step whose process is gone without asking anyone: it is recorded, put back and tried again', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  await leaveDead(scene)

  const [recovered] = (await perform(recoverJobs, scene.context, {})).jobs
  const again = await scene.step()

  assert.deepEqual([recovered?.status, recovered?.active, recovered?.failures], ['PENDING', null, 1])
  assert.match(recovered?.feedback[0]?.text ?? '', /cut off/)
  assert.deepEqual([again.status, scene.requests.length], ['REVIEW_REQUIRED', 1])
  assert.deepEqual(await scene.answers(), ['ERROR', 'SUCCESS'])
  assert.deepEqual((await perform(replayJob, { agent: { driver: scene.agent.driver } }, { job: 'demo' })).differences, [])
})

test('[J42] a step that a dead process left is taken up by the next one, in the same run and thread, and that is on record', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const run = await leaveDead(scene)

  const job = await scene.step()

  const moves = await jobMovesOf(scene.agent.driver, 'demo')
  assert.equal(job.status, 'REVIEW_REQUIRED')
  assert.deepEqual(each(moves, 'move'), ['activate', 'work', 'take_up_work', 'worker_COMPLETED'])
  assert.match(moves[2]?.note ?? '', new RegExp(`is gone; its run ${run} is carried on`))
  assert.equal((await scene.history())[0]?.attempt, 2)
  assert.deepEqual(each(await scene.history(), 'run_id'), [run])
})

test('[J42] a dead step whose workspace was deleted is recovered all the same, and one that cannot be holds up no other', async (t) => {
  const [deleted, moved] = [await testJobs(t, []), await testJobs(t, [])]
  for (const scene of [deleted, moved]) await leaveDead(scene)
  await rm((await deleted.job()).workspace, { recursive: true })
  await rename(moved.repository.root, `${moved.repository.root}-moved`)
  t.after(() => rm(`${moved.repository.root}-moved`, { recursive: true, force: true }))

  const [there, gone] = [await perform(recoverJobs, deleted.context, {}), await perform(recoverJobs, moved.context, {})]
  const cancelled = await perform(cancelJob, deleted.context, { job: 'demo' })

  assert.deepEqual([there.jobs.map(({ status }) => status), there.problems], [['PENDING'], []])
  assert.deepEqual([gone.jobs, gone.problems.map(({ job_id, code }) => [job_id, code])], [[], [['demo', 'not_found']]])
  assert.deepEqual([cancelled.status, cancelled.active], ['CANCELED', null])
})

test('[J42] a step whose process lives is neither recovered nor taken up', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  await beginStep(scene.context, await jobs.get(scene.agent.driver, 'demo'))

  await assert.rejects(perform(recoverJobs, scene.context, { job: 'demo' }), { code: 'busy' })
  await assert.rejects(scene.step(), { code: 'busy', message: new RegExp(`process ${process.pid}`) })

  assert.deepEqual(await perform(recoverJobs, scene.context, {}), { jobs: [], problems: [] })
})

test('[J43] a source repository that moved is named with the way to say where it is, and then the job goes on', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED', ['hello.txt']) }])
  const moved = `${scene.repository.root}-moved`
  t.after(() => rm(moved, { recursive: true, force: true }))
  await rename(scene.repository.root, moved)

  await assert.rejects(scene.step(), { code: 'not_found', next: [{ operation: 'job.configure', input: { job: 'demo', source: 'PATH' } }] })
  await assert.rejects(perform(configureJob, scene.context, { job: 'demo', source: scene.workspace }), { code: 'bad_input' })
  await perform(configureJob, scene.context, { job: 'demo', source: moved })
  const job = await scene.step()

  assert.deepEqual([job.status, job.git_source_repo], ['REVIEW_REQUIRED', moved])
})

test('[J43] a workspace that was deleted comes back from its branch', async (t) => {
  const scene = await testJobs(t, [makes('hello.txt'), { text: exit('COMPLETED') }, { text: exit('COMPLETED', ['hello.txt']) }])
  const { workspace } = await scene.step()
  await rm(workspace, { recursive: true })

  await scene.step()

  assert.equal((await scene.history())[1]?.evidence.claimed[0]?.found, 'changed')
})

test('[J16] evidence that leads out of the workspace through a link is outside', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED', ['link/passwd', 'link']) }])
  await symlink('/etc', join((await scene.job()).workspace, 'link'))

  await scene.step()

  const [{ evidence } = assert.fail()] = await scene.history()
  assert.deepEqual(each(evidence.claimed, 'found'), ['outside', 'outside'])
})

test('[J44] a Worker that starts over gets a fresh thread, a higher temperature where one is set, and its own suggestion', async (t) => {
  const roles = { worker: { role: 'worker', temperature: 0.2 } }
  const scene = await testJobs(t, [{ text: exit('RETRY', [], 'Try less.') }, { text: exit('COMPLETED') }], { roles })

  await scene.step()
  await scene.step()

  assert.deepEqual(
    scene.requests.map(({ temperature, entries }) => [temperature, entries.length]),
    [
      [0.2, 1],
      [0.3, 1],
    ],
  )
  assert.match(scene.requests[1]?.system ?? '', /Try less\./)
  assert.equal((await scene.history())[1]?.interaction.request.metadata.temperature, 0.3)
})

test('[J44] the workspace of a Worker that starts over is as it was before the attempt, and what that left is kept under a ref', async (t) => {
  const scene = await testJobs(t, [
    makes('one.txt'),
    { text: exit('RETRY', [], 'Not so.') },
    makes('two.txt'),
    { text: exit('COMPLETED', ['two.txt']) },
  ])
  const before = (await scene.job()).head_commit ?? (await scene.job()).base_commit

  const retried = await scene.step()
  const left = await readdir(retried.workspace)
  const done = await scene.step()

  const [first, second] = await scene.history()
  assert.deepEqual([retried.status, retried.head_commit], ['PENDING', before])
  assert.ok(!left.includes('one.txt'))
  assert.deepEqual(each(second?.evidence.changed ?? [], 'path'), ['two.txt'])
  assert.equal(await gitText(scene.repository.root, ['show', `${first?.set_aside?.ref}:one.txt`]), 'hello')
  assert.deepEqual([done.status, second?.set_aside], ['REVIEW_REQUIRED', null])
  assert.match(scene.requests.at(-1)?.system ?? '', /Its files were set aside/)
  assert.match(second?.interaction.request.prompt ?? '', /This is attempt 2\./)
})

test('[J80] what a failed attempt left in files that git ignores goes with it, is kept where it is small, and what was there before stays', async (t) => {
  const command = 'mkdir -p built && echo new > built/out.txt && echo new > new.log && echo changed >> old.log'
  const scene = await testJobs(t, [
    { text: '', calls: [{ tool: 'execute_command', input: { command } }] },
    { text: exit('RETRY', [], 'Not so.') },
  ])
  const { workspace } = await scene.job()
  await appendFile(join(scene.repository.root, '.git/info/exclude'), '*.log\nbuilt/\n.env\n')
  for (const name of ['old.log', '.env']) await writeFile(join(workspace, name), 'of a person\n')

  await scene.step()

  const [{ set_aside } = assert.fail()] = await scene.history()
  const left = await readdir(workspace)
  assert.deepEqual(
    ['old.log', '.env', 'new.log', 'built'].map((name) => left.includes(name)),
    [true, true, false, false],
  )
  assert.equal(await gitText(scene.repository.root, ['show', `${set_aside?.ref}:built/out.txt`]), 'new')
})

test('[J44] an attempt that was cut off and taken up again begins where its first step began', async (t) => {
  const cutOff = [makes('one.txt'), { fail: 'hang' as const }]
  const scene = await testJobs(t, [...cutOff, makes('two.txt'), { text: exit('RETRY') }], { limits: { max_silence_ms: 300 } })
  const before = (await scene.job()).base_commit

  const failed = await scene.step()
  const retried = await scene.step()

  assert.notEqual(failed.head_commit, before)
  assert.deepEqual([retried.status, retried.head_commit], ['PENDING', before])
})

/** A step that was begun by a process which is gone: its id was used, and is not alive any more. */
async function leaveDead(scene: TestJob): Promise<string> {
  const { driver } = scene.agent
  const { run } = await beginStep(scene.context, await jobs.get(driver, 'demo'))
  const gone = goneHolder()
  const job = await jobs.get(driver, 'demo')
  const held = await runs.get(driver, run?.item.id ?? '')
  await jobs.replace(driver, job, { ...job.item, active: job.item.active && { ...job.item.active, holder: gone, pid: 999999 } })
  await runs.replace(driver, held, { ...held.item, holder: gone })
  return held.item.id
}

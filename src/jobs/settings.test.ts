import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { treeOf } from '../../tests/tree.ts'
import { Limits } from '../domain/run.ts'
import { rankJob } from './queue.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { runs } from '../store/tables.ts'
import { configureJob } from './steward/configure.ts'
import { jobFilePlaces } from './view/files.ts'
import { previewStep } from './view/preview.ts'
import { stepJob } from './step/step.ts'
import { exit, makes, never, testJobs, makeJob } from './test-job.ts'
import { perform } from '../domain/operation.ts'

test('[J58] a change of one limit or of one seat leaves the others as they are', async (t) => {
  const limits = { max_cost_microusd: 1_000_000, max_rounds: 3 }
  const roles = { worker: { role: 'actor', model: 'scripted/cheap' }, supervisor: { model: 'scripted/dear' } }
  const scene = await testJobs(t, [], { limits, roles })

  const { limits: changed } = await perform(configureJob, scene.context, { job: 'demo', spec: { limits: { max_rounds: 2 } } })
  const { roles: seats } = await perform(configureJob, scene.context, { job: 'demo', spec: { roles: { worker: { temperature: 1 } } } })
  const lifted = await perform(configureJob, scene.context, { job: 'demo', spec: { limits: { max_cost_microusd: null } } })

  assert.deepEqual([changed.max_cost_microusd, changed.max_rounds, changed.max_iterations], [1_000_000, 2, 50])
  assert.deepEqual(seats, {
    worker: { role: 'actor', model: 'scripted/cheap', temperature: 1 },
    supervisor: { role: 'supervisor', model: 'scripted/dear', temperature: null },
  })
  assert.equal(lifted.limits.max_cost_microusd, null)
})

test('[J63] a step goes no further than a run may in its repository, and says which limit stopped it', async (t) => {
  const scene = await testJobs(t, [{ ...makes('a.md'), usage: { input_tokens: 40 } }])
  const { root } = scene.repository
  const limits = Limits.parse({ max_turns: 7, max_tokens: 30, max_wall_ms: 60_000 })
  const at = async (folder: string) => ({ ...scene.context, limits: folder === root ? limits : scene.context.limits })
  const context = { ...scene.context, at }

  const made = await makeJob(context, { id: 'other', source: root, spec: { objective: 'Say hello' } })
  const { reason, reason_text } = await stepJob(context, 'demo', never)
  const [run] = await runs.items(scene.agent.driver)

  assert.equal(made.limits.max_turns, 7)
  assert.deepEqual([reason, run?.limits.max_wall_ms], ['error', 60_000])
  assert.match(reason_text, /used 40 of 30 tokens/)
})

test('[J59] an attachment that would take the place of another, or is too large to be read, is refused, and none put there by hand stops the job', async (t) => {
  const scene = await testJobs(t, [{ text: exit('COMPLETED') }])
  const [here, there] = [join(await testFolder(t), 'notes.md'), join(await testFolder(t), 'notes.md')]
  const huge = join(await testFolder(t), 'huge.bin')
  await Promise.all([writeFile(here, 'one', { mode: 0o400 }), writeFile(there, 'two'), writeFile(huge, '')])
  await truncate(huge, 3 * 1024 ** 3)
  const { attachments } = jobFilePlaces(await scene.job())

  await perform(configureJob, scene.context, { job: 'demo', file: [here] })
  await perform(configureJob, scene.context, { job: 'demo', file: [there] })
  const twice = perform(configureJob, scene.context, { job: 'demo', file: [here, there] })
  const large = perform(configureJob, scene.context, { job: 'demo', file: [huge] })
  await Promise.all([
    assert.rejects(twice, { code: 'bad_input', message: /two of the files are called notes\.md/ }),
    assert.rejects(large, { code: 'too_large' }),
  ])
  await writeFile(join(attachments, 'by-hand.bin'), '')
  await truncate(join(attachments, 'by-hand.bin'), 3 * 1024 ** 3)
  const { request } = await perform(previewStep, scene.context, { job: 'demo' })

  assert.equal(await readFile(join(attachments, 'notes.md'), 'utf8'), 'two')
  assert.match(request.prompt, /<attachment name="by-hand\.bin">not text, or too long: 3221225472 bytes/)
})

test('[J38] a name that is taken is refused with how to go on with a draft, and nothing is made', async (t) => {
  const scene = await testJobs(t, [])
  const directory = join(await testFolder(t), 'elsewhere')
  const make = (id: string) => makeJob(scene.context, { id, dir: directory, source: scene.repository.root })
  await makeJob(scene.context, { id: 'draft', source: scene.repository.root })

  await assert.rejects(make('demo'), { code: 'conflict', next: [] })
  await assert.rejects(make('draft'), { code: 'conflict', next: [{ operation: 'job.activate', input: { job: 'draft' } }] })

  assert.equal(existsSync(directory), false)
})

test('[J12] [J59] a job is not made in a folder that holds a file of the user under one of its names, and none of them changes', async (t) => {
  const scene = await testJobs(t, [])
  const files = ['job_manifest.json', 'prompt.md', 'jobHistory.json', 'latest-outcome.json', 'attachments/a.md', 'workspace/a.txt']
  const [given, empty] = [join(await testFolder(t), 'a.md'), await testFolder(t)]
  await writeFile(given, 'given')
  await mkdir(join(empty, 'attachments'))
  const make = (id: string, directory: string) =>
    makeJob(scene.context, { id, dir: directory, file: [given], source: scene.repository.root, spec: { objective: 'Say hello' } })

  for (const [at, file] of files.entries()) {
    const directory = await testFolder(t)
    await mkdir(dirname(join(directory, file)), { recursive: true })
    await writeFile(join(directory, file), 'mine')
    const before = await treeOf(directory)
    await assert.rejects(make(`job${at}`, directory), { code: 'conflict', message: /^there is \/.* already; it is left untouched/ })
    assert.deepEqual(await treeOf(directory), before)
  }
  const made = await make('last', empty)

  assert.equal(made.status, 'DRAFT')
})

test('[J54] a draft is given no place that activation would take away again', async (t) => {
  const scene = await testJobs(t, [])
  await makeJob(scene.context, { id: 'draft', source: scene.repository.root, spec: { objective: 'Later' } })

  const ranked = perform(rankJob, scene.context, { job: 'draft', rank: 0 })

  await assert.rejects(ranked, { code: 'move_refused', next: [{ operation: 'job.activate', input: { job: 'draft', rank: 'PLACE' } }] })
})

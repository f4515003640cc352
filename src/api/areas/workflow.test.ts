import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { each, rowsOf } from '../../domain/test-each.ts'
import { until } from '../../sandbox/test-until.ts'
import { log } from '../../store/log.ts'
import { serveForTest, type Replies } from '../test-server.ts'

const PLANTED = 'PLANTED: act as somebody nobody may read of'
const planted = {
  id: 'planted',
  name: 'Planted',
  description: 'For a test.',
  version: '1.0.0',
  metaGuidance: ['PLANTED throughout'],
  steps: [
    { id: 'look', title: 'Look', prompt: 'Look around.', agentRole: PLANTED, guidance: ['PLANTED hint'] },
    { id: 'skip', title: 'Skip', prompt: 'Never.', agentRole: PLANTED, runCondition: { var: 'more', equals: true } },
    { id: 'tell', title: 'Tell', prompt: 'Tell.', agentRole: PLANTED, role: 'reviewer', requireConfirmation: true },
  ],
}
const looked = { calls: [{ tool: 'finish_step', input: { output: 'saw a tree', context: { more: false } } }] }
const told = { calls: [{ tool: 'finish_step', input: { output: 'a tree' } }] }

test('[W91] workflows are listed with their source, and refused files with line, field and fix', async (t) => {
  const { get, file } = await openWorkflows(t)
  await file('bad.json', '{\n  "id": "bad-one"\n}')

  const { workflows, refused } = await get('list')
  const shown = await get('show', { workflowId: 'planted' })

  const found = workflows.map(({ id, source, edit }: Record<string, string>) => [id, source, edit])
  assert.deepEqual(found.at(-1), ['planted', 'project', 'planted.json'])
  assert.deepEqual(found[0].slice(1), ['built-in', null])
  assert.deepEqual([refused[0].line, refused[0].field, refused[0].edit], [1, 'name', 'bad.json'])
  assert.deepEqual(rowsOf(shown.workflow.steps, 'id', 'role', 'requireConfirmation'), [
    ['look', null, false],
    ['skip', null, false],
    ['tell', 'reviewer', true],
  ])
})

test('[W91] [W94] a workflow is started, waits in the list of needs, is confirmed and tells what was decided', async (t) => {
  const { post, send, settled } = await openWorkflows(t)

  const { run } = (await post('play', { workflowId: 'planted', agent_role: 'actor' })).body
  const waiting = await settled(run)
  const { needs } = (await send('GET', '/api/system/list_needs')).body
  const answered = await post('answer', { run, question_id: waiting.question.id, value: 'confirm' })
  const again = await post('answer', { run, question_id: waiting.question.id, value: 'confirm' })
  const done = await settled(run)
  const over = await post('continue', { run })

  assert.deepEqual([waiting.play.status, waiting.question.content.question], ['waiting', 'Is this step done: Tell?'])
  assert.deepEqual(rowsOf(needs, 'kind', 'detail', 'link'), [['question', 'Planted', `/workflows/runs/${run}`]])
  assert.deepEqual([answered.status, again.status, over.status], [200, 409, 409])
  assert.deepEqual(
    [done.status, done.play.status, done.steps.map(({ output }: { output: string }) => output)],
    ['completed', 'completed', ['saw a tree', 'a tree']],
  )
  assert.deepEqual(done.steps[1].decisions, [
    { step: 'skip', decision: 'skipped', why: 'more is false, tested = true' },
    { step: 'tell', decision: 'chosen', why: 'no condition' },
  ])
  assert.deepEqual([done.steps[1].agent_role, done.steps[1].confirmed_by], ['reviewer', 'user'])
})

test('[W87] a workflow can be stopped and continued over HTTP', async (t) => {
  const asked = Promise.withResolvers<void>()
  const hanging = () => {
    asked.resolve()
    return { ...looked, fail: 'hang' as const }
  }
  const { post, settled } = await openWorkflows(t, [hanging, told])
  const { run } = (await post('play', { workflowId: 'planted' })).body
  await asked.promise

  const busy = await post('continue', { run })
  const stopped = await post('stop', { run })
  const left = await settled(run)
  await post('continue', { run })
  const waiting = await settled(run)

  assert.deepEqual([busy.status, stopped.body.status, left.play.status, waiting.play.status], [409, 'stopped', 'stopped', 'waiting'])
})

test('[W92] no reply and no event of the API holds a role text; only the doors of the author do', async (t) => {
  const { post, get, settled, services, ask } = await openWorkflows(t)
  const { run } = (await post('play', { workflowId: 'planted' })).body
  const { question } = await settled(run)
  await post('answer', { run, question_id: question.id, value: 'confirm' })
  await settled(run)

  const paths = [
    '/api/workflow/list',
    '/api/workflow/show?workflowId=planted',
    '/api/workflow/list_runs',
    `/api/workflow/show_run?run=${run}`,
    '/api/system/list_needs',
    '/api/chat/list',
    '/api/openapi.json',
  ]
  const begun = await post('start', { workflowId: 'planted' })
  const followed = [
    begun,
    await post('next', { workflowId: 'planted', completedSteps: ['look'], context: { more: true } }),
    await post('advance', { run: begun.body.run, output: 'saw a tree' }),
    await post('judge_output', { workflowId: 'planted', stepId: 'look', output: 'a tree' }),
  ]
  const seen = [...(await Promise.all(paths.map(async (path) => (await ask(path)).text))), ...each(followed, 'text').map(String)]
  const events = JSON.stringify(await log.read(services.driver, 0, 10_000))
  const ofAuthor = await get('read_file', { name: 'planted.json' })

  assert.ok(seen.every((text) => !text.includes('PLANTED')))
  assert.deepEqual(each(followed, 'status'), [200, 200, 200, 200])
  assert.ok(seen[3]?.includes('Look around.') && begun.text.includes('Look around.') && events.includes('workflow_plays'))
  assert.ok(!events.includes('PLANTED'))
  assert.ok(ofAuthor.text.includes(PLANTED))
})

test('[W92] a run that is looked up by its own id shows no role text, also where the model quotes it', async (t) => {
  const quoting = { text: `I am told: ${PLANTED}.`, calls: [{ tool: 'finish_step', input: { output: PLANTED, context: { more: false } } }] }
  const { post, settled, send } = await openWorkflows(t, [quoting, told])
  const { run } = (await post('play', { workflowId: 'planted' })).body
  await settled(run)
  const { body } = await send('POST', '/api/run/list', {})

  const shown = await Promise.all(each(body.runs, 'run_id').map((id) => send('POST', '/api/run/show', { run: id })))

  assert.match(JSON.stringify(each(shown, 'body')), /I am told: \[for the agent only\]/)
  assert.doesNotMatch(JSON.stringify(each(shown, 'body')), /act as somebody/)
})

test('[W93] a text is checked while it is written: faults with their line, or both sides of each step', async (t) => {
  const { post } = await openWorkflows(t)
  const broken = JSON.stringify({ ...planted, steps: [{ ...planted.steps[0], agentRole: 'short' }] }, null, 2)

  const wrong = await post('check', { name: 'x.json', text: broken })
  const right = await post('check', { name: 'x.json', text: JSON.stringify(planted) })

  const line = broken.split('\n').findIndex((text) => text.includes('agentRole')) + 1
  assert.deepEqual([wrong.body.faults[0].line, wrong.body.faults[0].field], [line, 'steps.0.agentRole'])
  assert.deepEqual(right.body.steps[0], {
    id: 'look',
    title: 'Look',
    user: 'Look around.',
    agent: `## Agent Role\n${PLANTED}\n\n## Step Guidance\n- PLANTED hint\n\nLook around.`,
  })
})

test('[W93] a role that the folder does not have is a fault while it is written, and is not saved', async (t) => {
  const { post, get, save } = await openWorkflows(t)
  const text = JSON.stringify({ ...planted, steps: [{ ...planted.steps[0], role: 'reviwer' }] })
  const { version } = await get('read_file', { name: 'planted.json' })

  const checked = await post('check', { name: 'planted.json', text })
  const saved = await save('planted.json', { text, version })

  assert.deepEqual(each(checked.body.faults, 'field'), ['steps.0.role'])
  assert.equal(saved.status, 400)
})

test('[W34] a run that is only tried is started nowhere', async (t) => {
  const { post, get } = await openWorkflows(t)

  const tried = await post('start', { workflowId: 'planted', dry_run: true })

  assert.deepEqual([tried.status, tried.body.step.title], [200, 'Look'])
  assert.deepEqual((await get('list_runs')).runs, [])
})

test('[W93] a file is saved when it is valid and unchanged since it was read, and nowhere but in the folder of the project', async (t) => {
  const { post, save, get, services, root, ask } = await openWorkflows(t)
  const made = await post('create', { id: 'my-review', from: 'code-review' })
  const twice = await post('create', { id: 'my-review' })
  const { text, version } = await get('read_file', { name: 'my-review.json' })
  await symlink('/etc/passwd', join(root, '.troupe/workflows/out.json'))

  const saved = await save('my-review.json', { text: text.replace('"version": "1.0.0"', '"version": "1.1.0"'), version })
  const stale = await save('my-review.json', { text, version })
  const broken = await save('my-review.json', { text: '{', version: saved.body.version })
  const outside = await Promise.all(['../../x.json', 'x.txt', 'out.json'].map((name) => save(name, { text, version })))
  const peeked = await ask('/api/workflow/read_file?name=out.json')

  assert.deepEqual([made.status, twice.status, saved.status, stale.status, broken.status], [200, 409, 200, 409, 400])
  assert.ok(outside.every(({ status }) => status >= 400))
  assert.ok(peeked.status >= 400 && !peeked.text.includes('root:'))
  assert.match(await readFile(join(services.workspace, '.troupe/workflows/my-review.json'), 'utf8'), /"version": "1\.1\.0"/)
})

async function openWorkflows(t: TestContext, script: Replies = [looked, told]) {
  const server = await serveForTest(t, { replies: script, bodyBytes: 100_000 })
  const { services, ask, send } = server
  const root = services.workspace
  const file = async (name: string, text: string) => {
    await mkdir(join(root, '.troupe/workflows'), { recursive: true })
    await writeFile(join(root, '.troupe/workflows', name), text)
  }
  await file('planted.json', JSON.stringify(planted))
  const post = (verb: string, input: unknown) => send('POST', `/api/workflow/${verb}`, input)
  const get = async (verb: string, input: unknown = {}) => (await post(verb, input)).body
  const settled = async (run: string) => {
    await until(() => !services.plays.playing.has(run))
    return get('show_run', { run })
  }
  const save = (name: string, change: object) => post('save_file', { name, ...change })
  return { services, root, ask, send, file, get, settled, save, post }
}

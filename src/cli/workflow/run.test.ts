import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test, type TestContext } from 'node:test'
import { rowsOf } from '../../domain/test-each.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { anAccount, launcher } from '../test-account.ts'

const PLANTED = 'PLANTED: act as somebody nobody may read of'
const steps = ['First', 'Second', 'Third'].map((title) => ({
  id: title.toLowerCase(),
  title,
  prompt: `Do the ${title.toLowerCase()} thing.`,
  agentRole: PLANTED,
  guidance: ['PLANTED hint'],
}))

test('[W90] a workflow that needs a person ends with 10 and says how to answer; answered it goes on and ends with 0', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps: steps.map((step, at) => ({ ...step, requireConfirmation: at === 1 })) })

  const first = await troupe('workflow', 'run', 'planted', '--model', model, '--json')
  const { run, question } = JSON.parse(first.stdout)
  const early = await troupe('workflow', 'run', '--resume', run, '--model', model)
  const done = await troupe('workflow', 'run', '--resume', run, '--answer', 'confirm', '--model', model)
  const over = await troupe('workflow', 'run', '--resume', run, '--model', model)

  assert.deepEqual([first.code, early.code, done.code, over.code], [10, 10, 0, 42])
  assert.equal(question.question, 'Is this step done: Second?')
  assert.match(first.stderr, /1\/3 First\n2\/3 Second\n[^]*--resume wf_\S+ --answer confirm\|send_back\|stop/)
  assert.match(done.stdout, /Second\ndone 2\n\nThird\ndone 3\n\nThe workflow is complete\.\n$/)
})

test('[W90] where only words are an answer the way to give them is named first, and typed so it goes on', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps: [{ ...steps[0], runCondition: { var: 'size', equals: 3 } }] })

  const asked = await troupe('workflow', 'run', 'planted', '--model', model)
  const run = /--resume (wf_\S+) --answer-text … {3}\(or stop it with --answer stop\)\n$/.exec(asked.stderr)?.[1] ?? asked.stderr
  const waits = await troupe('workflow', 'runs')
  const answered = await troupe('workflow', 'run', '--resume', run, '--answer-text', '2', '--model', model)
  const over = await troupe('workflow', 'runs')

  assert.match(asked.stdout, /What is `size`\?/)
  assert.match(waits.stdout, /^wf_\S+ +planted +needs you +0 done/)
  assert.match(over.stdout, /^wf_\S+ +planted +completed +0 done/)
  assert.deepEqual([asked.code, answered.code, answered.stdout], [10, 0, 'The workflow is complete.\n'])
})

test('[W111] a run that was started by hand is not played; whoever tries is told how to go on with it', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps })
  const { run } = JSON.parse((await troupe('workflow', 'start', 'planted', '--json')).stdout)
  const [id = ''] = run.split('.')

  const refused = [
    await troupe('workflow', 'run', '--resume', id, '--model', model),
    await troupe('workflow', 'run', '--resume', run, '--answer', 'confirm', '--model', model),
  ]
  const { open, play } = JSON.parse((await troupe('workflow', 'status', id, '--json')).stdout)

  for (const { code, stderr } of refused) {
    assert.equal(code, 42)
    assert.ok(stderr.includes(`troupe workflow advance ${run}`), stderr)
  }
  assert.deepEqual([open.title, play], ['First', null])
})

test('[W112] steps of one title are handed out, recorded and shown by their own keys', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps: steps.map((step) => ({ ...step, title: 'Again' })) })

  const played = JSON.parse((await troupe('workflow', 'run', 'planted', '--model', model, '--json')).stdout)
  const shown = JSON.parse((await troupe('workflow', 'status', played.run, '--json')).stdout)

  const done = [played, shown].map((run) => rowsOf(run.steps, 'key', 'title', 'output'))
  assert.deepEqual(done[1], [
    ['first', 'Again', 'done 1'],
    ['second', 'Again', 'done 2'],
    ['third', 'Again', 'done 3'],
  ])
  assert.deepEqual(done[0], done[1])
})

test('[W90] [W82] a role that is capped is said, and a limit ends with its own code', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps: [{ ...steps[0], role: 'actor' }] })

  const capped = await troupe('workflow', 'run', 'planted', '--role', 'planner', '--model', model)
  const unknown = await troupe('workflow', 'run', 'plantd', '--model', model)
  const broke = await troupe('workflow', 'run', 'planted', '--model', model, '--max-budget-usd', '0')

  assert.match(capped.stderr, /actor is capped by the role you chose; without write_files/)
  assert.deepEqual([capped.code, unknown.code, broke.code], [0, 42, 12])
  assert.match(unknown.stderr, /did you mean planted\?/)
})

test('[W90] [W81] a process that is killed in a step is carried on by the next, which does not repeat what was done', async (t) => {
  const account = await withWorkflow(t, { steps }, 60_000)
  const child = spawn(launcher, ['workflow', 'run', 'planted', '--model', account.model], {
    cwd: account.project,
    env: account.env,
  })
  let told = ''
  for await (const chunk of child.stderr) if ((told += String(chunk)).includes('2/3')) break
  child.kill('SIGKILL')
  await once(child, 'exit')

  const shown = await account.troupe('workflow', 'runs')
  const list = await account.troupe('workflow', 'runs', '--json')
  const { id, done } = JSON.parse(list.stdout).runs[0]
  const resumed = await account.troupe('workflow', 'run', '--resume', id, '--model', await account.script(0))

  assert.match(shown.stdout, /^wf_\S+ +planted +interrupted +1 done/)
  assert.equal(done, 1)
  assert.deepEqual([resumed.code, resumed.stdout], [0, 'Second\ndone 2\n\nThird\ndone 3\n\nThe workflow is complete.\n'])
})

test('[W90] [W92] how a stopped run stands is said, and nothing that playing prints holds a role text, as text or as JSON', async (t) => {
  const { troupe, model } = await withWorkflow(t, { steps: steps.map((step) => ({ ...step, requireConfirmation: true })) })

  const asked = await troupe('workflow', 'run', 'planted', '--model', model)
  const run = /--resume (wf_\S+)/.exec(asked.stderr)?.[1] ?? ''
  const printed = [
    asked,
    await troupe('workflow', 'run', '--resume', run, '--answer', 'confirm', '--model', model, '--json'),
    await troupe('workflow', 'stop', run),
    await troupe('workflow', 'status', run),
    await troupe('workflow', 'status', run, '--json'),
    await troupe('workflow', 'runs'),
  ]

  assert.ok(!JSON.stringify(printed).includes('PLANTED'))
  assert.match(asked.stdout, /Is this step done: First\?\ndone 1\n {2}confirm: Confirm\n/)
  assert.match(printed[3]?.stdout ?? '', /^planted wf_\S+: stopped\n[^]*✓ First/)
  assert.match(printed[5]?.stdout ?? '', /^wf_\S+ +planted +stopped +1 done/)
})

/** An account whose project has a workflow, and a script in which every step is handed in; the second one may take its time. */
async function withWorkflow(t: TestContext, workflow: object, delay_ms = 0) {
  const account = await anAccount(t, { TMPDIR: await testFolder(t) }) // a killed process leaves things there
  const whole = { id: 'planted', name: 'Planted', description: 'For a test.', version: '1.0.0', ...workflow }
  await account.write('project/.troupe/workflows/planted.json', JSON.stringify(whole))
  const script = async (delay: number) => {
    const replies = [1, 2, 3].map((number) => ({
      calls: [{ tool: 'finish_step', input: { output: `done ${number}` } }],
      delay_ms: number === 2 ? delay : 0,
    }))
    return account.script({ follow: 'thread', replies }, `script-${delay}.json`)
  }
  return { ...account, script, model: await script(delay_ms) }
}

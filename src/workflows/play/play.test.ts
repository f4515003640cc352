import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { plainGround } from '../../agent/test-agent.ts'
import { Problem } from '../../domain/problem.ts'
import { until } from '../../sandbox/test-until.ts'
import { entries, questions, runs, workflowPlays, workflowRuns, workflowRunSteps } from '../../store/tables.ts'
import { stopPlay } from './stop.ts'
import { openPlayContext } from './context.ts'
import { startPlay } from './start.ts'
import { playWorkflow } from './play.ts'
import { anEntry, bury, finish, mortal, testPlay, toTheEnd } from './test-play.ts'

const ROLE = 'PLANTED: act as somebody very careful'
const two = {
  metaGuidance: ['PLANTED be brief'],
  steps: [
    { id: 'look', title: 'Look', prompt: 'Look around.', agentRole: ROLE, guidance: ['PLANTED hint'] },
    { id: 'tell', title: 'Tell', prompt: 'Tell what you saw.', agentRole: 'PLANTED too: act as a reporter' },
  ],
}

test('[W80] the prompt goes in as the user, role and guidance as the system, and neither of these is stored in the thread', async (t) => {
  const play = await testPlay(t, [finish('saw a tree'), finish('told of the tree')])

  const { id, status } = await play.begin(two)

  const [first, second] = play.requests
  assert.equal(status, 'completed')
  assert.ok(first?.system.includes(`## Agent Role\n${ROLE}\n\n## Step Guidance\n- PLANTED hint`))
  assert.ok(second?.system.includes('PLANTED too') && !second.system.includes(ROLE) && !second.system.includes('PLANTED hint'))
  const thread = await entries.items(play.agent.driver, { where: { thread_id: id }, order: ['number'] })
  assert.deepEqual(
    thread.flatMap((entry) => (entry.from === 'user' ? [entry.text] : [])),
    ['Look around.', 'Tell what you saw.'],
  )
  const { driver } = play.agent
  const stored = JSON.stringify([thread, await runs.list(driver), await workflowRuns.list(driver), await workflowPlays.list(driver)])
  assert.ok(!stored.includes('PLANTED'))
})

test('[W80] an answer in plain text is the output, and an object in it may set variables', async (t) => {
  const steps = [
    { id: 'one', title: 'One', prompt: 'Do one.' },
    { id: 'two', title: 'Two', prompt: 'Do two.', runCondition: { var: 'more' } },
  ]
  const play = await testPlay(t, [{ text: 'Did one. {"context": {"more": false}}' }])

  const { id, status } = await play.begin({ steps })

  const { item } = await workflowRuns.get(play.agent.driver, id)
  assert.deepEqual([status, item.completed, item.context], ['completed', 'one', { more: false }])
})

test('[W81] a play killed at any write goes on to the same end, and no step that was done is done again', async (t) => {
  const steps = ['one', 'two', 'three'].map((id) => ({ id, title: id, prompt: `Do ${id}.`, requireConfirmation: id === 'two' }))
  let writes = 0
  for (let killed = true; killed; writes++) {
    const play = await testPlay(t, [(request) => ({ ...finish(`did after ${request.entries.length}`), repeat: true })])
    const { driver } = play.agent
    const { id } = await startPlay(play.context, anEntry({ steps }), { workspace: play.workspace })
    const dying = openPlayContext(plainGround({ ...play.agent, driver: mortal(driver, writes) }))

    killed = await toTheEnd(dying, id, { value: 'confirm' }).then(
      () => false,
      () => true,
    )
    await bury(driver)
    const { status } = await toTheEnd(play.context, id, { value: 'confirm' })

    const keys = (await workflowRunSteps.items(driver, { where: { run_id: id }, order: ['number'] })).map(({ key }) => key)
    const said = (await entries.items(driver, { where: { thread_id: id } })).flatMap((entry) => (entry.from === 'user' ? [entry.text] : []))
    assert.deepEqual([status, keys], ['completed', ['one', 'two', 'three']], `after ${writes} writes`)
    assert.deepEqual(
      said,
      steps.map(({ prompt }) => prompt),
      `after ${writes} writes`,
    )
    assert.equal((await questions.list(driver)).length, 1, `after ${writes} writes`)
  }
  assert.ok(writes > 20, `killed ${writes} times`)
})

test('[W82] a step that names a role gets its permissions, and never more than the role a person chose', async (t) => {
  const steps = [
    { id: 'one', title: 'One', prompt: 'Do one.', role: 'reviewer' },
    { id: 'two', title: 'Two', prompt: 'Do two.', role: 'actor' },
  ]
  const write = { calls: [{ tool: 'create_file', input: { path: 'made.txt', content: 'x' } }] }
  const play = await testPlay(t, [write, finish('was refused'), write, finish('was refused again')])

  const { id, status } = await play.begin({ steps }, { agent_role: 'planner' })

  const thread = await entries.items(play.agent.driver, { where: { thread_id: id }, order: ['number'] })
  const tools = thread.flatMap((entry) => (entry.from === 'tool' && entry.tool === 'create_file' ? [`${entry.role} ${entry.outcome}`] : []))
  const begun = play.news.flatMap((news) => (news.type === 'begins' ? [[news.agent_role, news.capped.length]] : []))
  assert.equal(status, 'completed')
  assert.deepEqual(tools, ['reviewer denied', 'actor denied'])
  assert.deepEqual(begun, [
    ['reviewer', 0],
    ['actor', 4],
  ])
  assert.match(play.requests.at(-1)?.system ?? '', /names the role actor, but the user started the workflow as planner/)
})

test('[W82] a workflow that names a role nobody knows is refused before its first step', async (t) => {
  const play = await testPlay(t, [])

  const refused = await play.begin({ steps: [{ id: 'one', title: 'One', prompt: 'Do', role: 'reviewr' }] }).catch((error: unknown) => error)

  assert.ok(refused instanceof Problem && refused.message.includes('did you mean reviewer?'), String(refused))
  assert.deepEqual(await workflowRuns.list(play.agent.driver), [])
})

test('[W83] a step that needs confirmation waits for a person; words go back to the agent, and only a yes lets it count', async (t) => {
  const steps = [{ id: 'one', title: 'Cut', prompt: 'Cut it.', agentRole: ROLE, requireConfirmation: true }]
  const play = await testPlay(t, [finish('cut in two'), { ...finish('cut in three'), expect: { user: 'The user says: in three, please' } }])

  const first = await play.begin({ steps })
  const question = await play.asked(first.id)
  const again = await play.say(first.id, { text: 'in three, please' })
  const done = await play.say(first.id, { value: 'confirm' })

  const [step] = await workflowRunSteps.items(play.agent.driver)
  assert.deepEqual([first.status, again.status, done.status], ['waiting', 'waiting', 'completed'])
  assert.equal(question, 'Is this step done: Cut?')
  assert.deepEqual([step?.output, step?.confirmed_by], ['cut in three', 'ada'])
  assert.ok(!JSON.stringify(await questions.list(play.agent.driver)).includes('PLANTED'))
})

test('[W84] a refused output goes back with the author’s messages; after three refusals a person is asked', async (t) => {
  const criteria = [{ type: 'contains', value: 'evidence', message: 'Show evidence.' }]
  const steps = [{ id: 'one', title: 'Prove', prompt: 'Prove it.', validationCriteria: criteria }]
  const back = { expect: { user: '- Show evidence.' } }
  const play = await testPlay(t, [
    finish('believe me'),
    { ...finish('really'), ...back },
    { ...finish('truly'), ...back },
    { ...finish('evidence: 1'), expect: { user: 'The user says: run the test' } },
  ])

  const stuck = await play.begin({ steps })
  const question = await play.asked(stuck.id)
  const done = await play.say(stuck.id, { text: 'run the test' })

  assert.deepEqual([stuck.status, done.status], ['waiting', 'completed'])
  assert.equal(question, '"Prove" was not accepted 3 times. What now?')
  assert.equal(play.news.filter(({ type }) => type === 'refused').length, 3)
})

test('[W85] a variable nobody set is asked of the agent first, and then of a person', async (t) => {
  const steps = [
    { id: 'one', title: 'One', prompt: 'Do one.' },
    {
      id: 'each',
      type: 'loop',
      title: 'Each',
      loop: { type: 'forEach', items: 'files', maxIterations: 5 },
      body: [{ id: 'read', title: 'Read', prompt: 'Read it.' }],
    },
  ]
  const play = await testPlay(t, [
    finish('did one'),
    { ...finish('no idea'), expect: { user: 'Find out files' } },
    finish('', { files: 'not a list' }),
    finish('still not', { files: 7 }),
    { ...finish('read a'), expect: { system: '"currentItem":"a.ts"' } },
    { ...finish('read b'), expect: { system: '"currentItem":"b.ts"' } },
  ])

  const stuck = await play.begin({ steps })
  const question = await play.asked(stuck.id)
  const done = await play.say(stuck.id, { text: '["a.ts", "b.ts"]' })

  const { item } = await workflowRuns.get(play.agent.driver, stuck.id)
  assert.match(question, /What is `files`\?/)
  assert.deepEqual(
    [stuck.status, done.status, item.completed.split('\n')],
    ['waiting', 'completed', ['one', 'each@1::read', 'each@2::read']],
  )
})

test('[W86] a question and an approval of the agent itself wait, and the step goes on with the answer', async (t) => {
  const question = { type: 'question', question: 'Tabs or spaces?', severity: 'minor', options: [{ label: 'Tabs', value: 'tabs' }] }
  const play = await testPlay(t, [
    { calls: [{ tool: 'ask_user', input: question }] },
    { calls: [{ tool: 'delete_file', input: { path: 'spaces.txt' } }], expect: { tool_output: 'Tabs (value: tabs)' } },
    finish('deleted the spaces'),
  ])
  await writeFile(join(play.workspace, 'spaces.txt'), '    ')

  const asking = await play.begin({ steps: [{ id: 'one', title: 'One', prompt: 'Do one.' }] })
  const refused = await play.carryOn(asking.id).catch((error: unknown) => error)
  const approving = await play.say(asking.id, { value: 'tabs' })
  const done = await play.say(asking.id, { value: 'approve' })

  assert.deepEqual([asking.status, approving.status, done.status], ['waiting', 'waiting', 'completed'])
  assert.ok(refused instanceof Problem && refused.code === 'needs_person')
  assert.ok(!existsSync(join(play.workspace, 'spaces.txt')))
})

test('[W87] a stop ends the agent at work, and going on takes up the same step', async (t) => {
  const play = await testPlay(t, [finish('did one'), { ...finish('did two'), fail: 'hang' }])
  const steps = ['one', 'two'].map((id) => ({ id, title: id, prompt: `Do ${id}.` }))
  const { id } = await startPlay(play.context, anEntry({ steps }), { workspace: play.workspace })

  const playing = play.carryOn(id)
  await until(() => play.requests.length === 2)
  const stopped = await stopPlay.run({ store: async () => play.agent.driver, now: () => new Date() }, { run: id })
  const left = await playing
  const done = await play.carryOn(id)

  const keys = (await workflowRunSteps.items(play.agent.driver)).map(({ key }) => key)
  assert.deepEqual([stopped.status, left.status, done.status, keys], ['stopped', 'stopped', 'completed', ['one', 'two']])
})

test('[W88] tokens are counted over the whole workflow, and the next call beyond them is refused', async (t) => {
  const usage = { input_tokens: 60, output_tokens: 0 }
  const play = await testPlay(t, [
    { ...finish('did one'), usage },
    { ...finish('did two'), usage },
    { ...finish('did three'), usage },
  ])
  const steps = ['one', 'two', 'three'].map((id) => ({ id, title: id, prompt: `Do ${id}.` }))

  const failed = await play.begin({ steps }, { limits: { max_tokens: 100 } })

  assert.deepEqual([failed.status, failed.reason, play.requests.length], ['failed', 'budget', 2])
  assert.match(failed.message ?? '', /tokens; the next call is refused/)
})

test('[W89] a run that one process plays is refused to another', async (t) => {
  const play = await testPlay(t, [{ fail: 'hang' }])
  const { id } = await startPlay(play.context, anEntry({ steps: [{ id: 'one', title: 'One', prompt: 'Do.' }] }), {
    workspace: play.workspace,
  })
  const stop = new AbortController()
  const playing = playWorkflow(play.context, id, stop.signal)
  await until(() => play.requests.length === 1)

  const refused = await play.carryOn(id).catch((error: unknown) => error)
  stop.abort()
  const left = await playing

  assert.ok(refused instanceof Problem && refused.code === 'busy', String(refused))
  assert.equal(left.status, 'stopped')
})

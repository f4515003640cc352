import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { answerQuestion } from '../agent/answer.ts'
import { testAgent, type TestAgent } from '../agent/test-agent.ts'
import { Limits } from '../domain/run.ts'
import { Workflow } from '../domain/workflow.ts'
import { entries, questions, runs } from '../store/tables.ts'
import { contentHash } from './read.ts'
import { playWorkflow, type PlayEnd, type PlayStage, runIdOf } from './play.ts'
import { runView } from './runs.ts'
import { startRun } from './start.ts'

const role = 'PLANTED-ROLE act as a careful tester of workflows'
const step = (id: string, more: object = {}) => ({ id, title: `Title of ${id}`, prompt: `Do ${id}.`, ...more })
const signal = new AbortController().signal

test('[W38] each step is carried out by the agent in its role, with agentRole in the system prompt and not in the thread', async (t) => {
  const { stage, made, id } = await aPlay(
    t,
    [step('one', { agentRole: role, guidance: ['PLANTED hint'] }), step('two', { role: 'reviewer' })],
    [{ text: 'did one' }, { text: 'did two' }],
  )

  const end = await playWorkflow(stage, id, signal)

  const view = await runView(made.agent.driver, id)
  const played = await runs.list(made.agent.driver, { order: ['id'] })
  assert.equal(end.status, 'completed')
  assert.deepEqual(
    view.steps.map(({ output }) => output),
    ['did one', 'did two'],
  )
  assert.deepEqual(
    played.map(({ item }) => item.agent_role),
    ['actor', 'reviewer'],
  )
  assert.ok(made.requests[0]?.system.includes(`## Agent Role\n${role}\n\n## Step Guidance\n- PLANTED hint`))
  assert.ok(!made.requests[1]?.system.includes('PLANTED'))
  assert.ok(!JSON.stringify(await entries.list(made.agent.driver)).includes('PLANTED'))
})

test('[W38] a step that names a role is held to its permissions', async (t) => {
  const write = { calls: [{ tool: 'create_file', input: { path: 'x.txt', content: 'x' } }] }
  const { stage, made, id } = await aPlay(t, [step('one', { role: 'reviewer' })], [write, { text: 'could not' }])

  await playWorkflow(stage, id, signal)

  const denied = (await entries.list(made.agent.driver)).find(({ item }) => item.from === 'tool')?.item
  assert.equal(denied?.from === 'tool' && denied.outcome, 'denied')
})

test('[W38] what the agent sets reaches conditions and loops, and a missing variable is asked for', async (t) => {
  const steps = [
    step('find'),
    { id: 'each', type: 'loop', title: 'Each', loop: { type: 'forEach', items: 'files', maxIterations: 5 }, body: [step('read')] },
    step('never', { runCondition: { var: 'more' } }),
  ]
  const { stage, made, id } = await aPlay(t, steps, [
    { text: 'found two {"context": {"files": ["a.ts", "b.ts"]}}' },
    { text: 'read a' },
    { text: 'read b' },
    { text: '{"context": {"more": false}}' },
  ])

  const end = await playWorkflow(stage, id, signal)

  const view = await runView(made.agent.driver, id)
  assert.equal(end.status, 'completed')
  assert.deepEqual(
    view.steps.map(({ key }) => key),
    ['find', 'each@1::read', 'each@2::read'],
  )
  assert.match(JSON.stringify(made.requests[2]?.entries), /currentItem = .*b\.ts/)
  assert.match(JSON.stringify(made.requests[3]?.entries), /find out: more/)
})

test('[W38] an output that breaks the criteria is sent back with the reason, three times at most', async (t) => {
  const steps = [step('one', { validationCriteria: [{ type: 'contains', value: 'evidence', message: 'Show evidence.' }] })]
  const good = await aPlay(t, steps, [{ text: 'done' }, { text: 'evidence: it runs' }])
  const bad = await aPlay(t, steps, [{ text: 'done' }, { text: 'done' }, { text: 'done' }])

  const ends = [await playWorkflow(good.stage, good.id, signal), await playWorkflow(bad.stage, bad.id, signal)]

  assert.deepEqual(
    ends.map(({ status }) => status),
    ['completed', 'stuck'],
  )
  assert.match(JSON.stringify(good.made.requests[1]?.entries), /Your last output was not taken: Show evidence\./)
})

test('[W38] [W13] a confirmation is a card for a person, without the role; sent back it is done again, confirmed it counts', async (t) => {
  const { stage, made, id } = await aPlay(
    t,
    [step('one', { agentRole: role, requireConfirmation: true })],
    [{ text: 'plan A' }, { text: 'plan B' }],
  )
  const { driver } = made.agent
  const reply = async (end: PlayEnd, value: string, text = '') => {
    assert.equal(end.status, 'waiting')
    const { content } = (await questions.get(driver, end.question_id)).item
    assert.ok(!JSON.stringify(content).includes('PLANTED'))
    await answerQuestion(driver, end.question_id, { value, text }, 'user', new Date())
    return content.context
  }

  const first = await playWorkflow(stage, id, signal)
  const unanswered = await playWorkflow(stage, id, signal)
  const shownFirst = await reply(first, 'send_back', 'Shorter, please.')
  const second = await playWorkflow(stage, id, signal)
  const shownSecond = await reply(second, 'confirm')
  const end = await playWorkflow(stage, id, signal)

  assert.deepEqual([unanswered, end.status], [first, 'completed'])
  assert.deepEqual([shownFirst.includes('plan A'), shownSecond.includes('plan B')], [true, true])
  assert.match(JSON.stringify(made.requests[1]?.entries), /Shorter, please\./)
  assert.equal((await runView(driver, id)).steps[0]?.confirmed_by, 'user')
})

test('[W38] a play that is stopped in the middle of a step goes on with the next process', async (t) => {
  const { stage, made, id } = await aPlay(t, [step('one'), step('two')], [{ text: 'did one' }, { fail: 'hang' }, { text: 'did two' }])
  const stopping = new AbortController()
  const interrupted = playWorkflow(stage, id, stopping.signal)
  while (made.requests.length < 2) await setImmediate()
  stopping.abort()

  const first = await interrupted
  const second = await playWorkflow(stage, id, signal)

  assert.equal(first.status, 'stuck')
  assert.equal(second.status, 'completed')
  assert.deepEqual(
    (await runView(made.agent.driver, id)).steps.map(({ key }) => key),
    ['one', 'two'],
  )
})

async function aPlay(
  t: TestContext,
  steps: unknown[],
  replies: Parameters<typeof testAgent>[1],
): Promise<{ stage: PlayStage; made: TestAgent; id: string }> {
  const made = await testAgent(t, replies)
  const workflow = Workflow.parse({ id: 'example', name: 'Example', description: 'For a test.', version: '1.0.0', steps })
  const entry = { workflow, hash: contentHash(workflow), source: 'project' as const, file: 'x.json', shadows: [] }
  const now = new Date()
  const play = {
    agent_role: 'actor',
    workspace: made.workspace,
    thread_id: 'thread_test',
    position: 0,
    agent_run_id: null,
    question_id: null,
    sent_back: 0,
    feedback: '',
  }
  const { run } = await startRun(made.agent.driver, entry, {}, now, play)
  const stage = { agent: made.agent, modelOf: () => 'scripted/test', limits: Limits.parse({}), onStep: () => undefined }
  return { stage, made, id: runIdOf(run) }
}

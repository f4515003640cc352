import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { asking } from '../../tests/replies.ts'
import { plans, questions } from '../store/run-tables.ts'
import { readOutcome } from './outcome.ts'
import { planHash } from './person/proposals.ts'
import { testAgent } from './test-agent.ts'

const plan = { goal: 'Say hello', steps: [{ step_number: 1, action: 'Create hello.txt' }] }
const options = { update_tests: 'Yes, update tests', skip_tests: 'No, skip tests' }
const question = { ...asking('Update the tests too?', options), default: 'skip_tests' }

test('[A50] in Plan mode a plan in a reply becomes a record, fenced or bare, with the text around it kept', async (t) => {
  const text = `I looked around.\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\`\nWhat do you think?`
  const { play, thread, agent, events } = await testAgent(t, [{ text }])

  const run = await play({ agent_role: 'planner' })

  const reply = (await thread(run)).at(-1)
  assert.ok(reply?.from === 'assistant' && reply.type === 'plan' && reply.plan_id !== null)
  const { item } = await plans.get(agent.driver, reply.plan_id)
  assert.deepEqual([reply.text, run.status, item.status, item.version, item.content.goal], [text, 'completed', 'draft', 1, 'Say hello'])
  assert.equal(item.hash, planHash(item.content))
  assert.ok(events.some((event) => event.type === 'plan' && event.plan_id === item.id))
})

test('[A51] of several blocks each one that fits counts, once; braces in prose do no harm', () => {
  const first = JSON.stringify({ ...plan, goal: 'first' })
  const last = JSON.stringify({ ...plan, goal: 'last' })

  const outcome = readOutcome(`use {x} or ${first} then \`\`\`\n${last}\n\`\`\` but not {"goal": "no steps"}, again ${first} }`, 'plan')

  assert.deepEqual(outcome.type === 'plan' && outcome.plans.map(({ content }) => content.goal), ['first', 'last'])
})

test('[A51] a goal and steps make a plan: steps without a number, or with the same, are counted', () => {
  const without = readOutcome(JSON.stringify({ goal: 'Both', steps: [{ action: 'one' }, { action: 'two' }] }), 'plan')
  const alike = readOutcome(JSON.stringify({ goal: 'Both', steps: [plan.steps[0], plan.steps[0]] }), 'plan')

  for (const outcome of [without, alike])
    assert.deepEqual(outcome.type === 'plan' && outcome.plans[0]?.content.steps.map((step) => step.step_number), [1, 2])
})

test('[A51] a plan is found whatever stands around it', () => {
  const prose = fc.string({ unit: fc.constantFrom('a', ' ', '\n', '`', '{', '}', ':', 'é', '[') })

  fc.assert(
    fc.property(prose, (before) => {
      const outcome = readOutcome(`${before.replaceAll('"', '')}\n\n${JSON.stringify(plan)}`, 'plan')

      assert.equal(outcome.type, 'plan')
    }),
  )
})

test('[A52] what is no plan is text', async (t) => {
  const scene = await testAgent(t, [{ text: 'Just words.' }, { text: JSON.stringify(question) }])

  const reasons = []
  for (const _ of ['words', 'a question']) {
    const run = await scene.play({ agent_role: 'planner' })
    const reply = (await scene.thread(run)).at(-1)
    reasons.push(reply?.from === 'assistant' && reply.type === 'text' ? reply.unparsed : 'not a text')
  }

  assert.equal(reasons[0], null)
  assert.match(reasons[1] ?? '', /a question in Plan mode is a message/)
})

test('[A52] a plan in Act mode is text, and nothing is approved or executed by it', async (t) => {
  const { play, thread, agent } = await testAgent(t, [{ text: JSON.stringify(plan) }])

  const run = await play({ agent_role: 'actor' })

  const reply = (await thread(run)).at(-1)
  assert.ok(reply?.from === 'assistant' && reply.type === 'text' && /a plan in Act mode is a message/.test(reply.unparsed ?? ''))
  assert.equal(await plans.count(agent.driver), 0)
})

test('[A53] submit_plan makes the same record as a plan in text, and ends the run', async (t) => {
  const { play, agent, requests } = await testAgent(t, [{ text: 'Here it is.', calls: [{ tool: 'submit_plan', input: plan }] }])

  const run = await play({ agent_role: 'planner' })

  const [stored] = await plans.items(agent.driver, { where: { thread_id: run.thread_id } })
  assert.deepEqual([run.status, requests.length, stored?.status, stored?.content.goal], ['completed', 1, 'draft', 'Say hello'])
})

test('[A54] each plan of a thread is the next version, and the one before it can no longer be approved', async (t) => {
  const { play, agent } = await testAgent(t, [{ text: JSON.stringify(plan) }, { text: JSON.stringify({ ...plan, goal: 'Better' }) }])

  await play({ agent_role: 'planner', thread_id: 'thread_1' })
  await play({ agent_role: 'planner', thread_id: 'thread_1', prompt: 'better' })

  const versions = await plans.items(agent.driver, { where: { thread_id: 'thread_1' } })
  const [first, second] = versions.toSorted((a, b) => a.version - b.version)
  assert.deepEqual([first?.status, second?.status, second?.version, second?.previous_id], ['superseded', 'draft', 2, first?.id])
})

test('[A55] in Act mode a question in a reply becomes a record and the run waits', async (t) => {
  const { play, thread, agent, events } = await testAgent(t, [{ text: `One thing.\n${JSON.stringify(question)}` }])

  const run = await play()

  const reply = (await thread(run)).at(-1)
  assert.ok(reply?.from === 'assistant' && reply.type === 'question' && reply.question_id === run.question_id)
  const { item } = await questions.get(agent.driver, reply.question_id ?? '')
  assert.deepEqual([run.status, item.status, item.content.default], ['waiting', 'pending', 'skip_tests'])
  assert.ok(events.some((event) => event.type === 'result' && event.exit_code === 10))
})

test('[A56] a critical question has no default, whatever the model wrote', async (t) => {
  const { play, agent } = await testAgent(t, [{ text: JSON.stringify({ ...question, severity: 'critical' }) }])

  const run = await play()

  assert.equal((await questions.get(agent.driver, run.question_id ?? '')).item.content.default, null)
})

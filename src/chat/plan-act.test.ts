import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { configureChat } from './configure.ts'
import { answerInChat } from './continue.ts'
import { editPlan } from './edit-plan.ts'
import { executePlan } from './execute-plan.ts'
import { aPlan, aQuestion, testStage } from './test-chat.ts'

const planText = `I looked around.\n\n\`\`\`json\n${JSON.stringify(aPlan)}\n\`\`\`\nTell me what you think.`

test('[P1] a plan in a Planner’s reply is a plan message with its text kept, and feedback makes a new linked version', async (t) => {
  const { say } = await testStage(t, 'planner', [{ text: planText }, { text: JSON.stringify({ ...aPlan, goal: 'Say hello twice' }) }])

  await say('plan it')
  const { messages, plans } = await say('twice please')

  assert.deepEqual(each(messages, 'type'), ['text', 'plan', 'text', 'plan'])
  assert.equal(messages[1]?.type === 'plan' && messages[1].text, planText)
  assert.deepEqual(
    plans.map(({ version, status, previous_id, content }) => [version, status, previous_id, content.goal]),
    [
      [1, 'superseded', null, 'Say hello'],
      [2, 'draft', plans[0]?.id, 'Say hello twice'],
    ],
  )
})

test('[P2] a reply that is no plan is an ordinary message that keeps the reason', async (t) => {
  const { say } = await testStage(t, 'planner', [{ text: '{"goal": "x", "steps": "later"}' }])

  const { messages, plans } = await say('plan it')

  assert.deepEqual(plans, [])
  assert.match((messages[1]?.type === 'text' && messages[1].unparsed) || '', /steps/)
})

test('[P3] Execute approves the version that was read, switches to Actor with a line in the history, and starts with the plan', async (t) => {
  const { context, chat, quiet, requests, workspace, say } = await testStage(t, 'planner', [
    { text: planText },
    { text: '[step 1 active]', calls: [{ tool: 'create_file', input: { path: 'hello.txt', content: 'hello' } }] },
    { text: '[step 1 done]\n[step 2 deviated: there are no tests]' },
  ])
  const [plan = assert.fail()] = (await say('plan it')).plans

  await executePlan.run(context, { chat: chat.id, plan: plan.id, hash: plan.hash })
  const { agent_role, messages, plans, step_progress, run } = await quiet()

  assert.equal(agent_role, 'actor')
  assert.deepEqual([plans[0]?.status, plans[0]?.approved_by, run?.plan_id], ['executed', 'user', plan.id])
  const change = messages.find(({ type }) => type === 'role_change')
  assert.deepEqual(change?.type === 'role_change' && [change.details.from, change.details.to, change.details.by], [
    'planner',
    'actor',
    'user',
  ])
  assert.ok(requests[1]?.tools.some(({ name }) => name === 'create_file'))
  assert.equal(existsSync(join(workspace, 'hello.txt')), true)
  assert.deepEqual(each(step_progress, 'status'), ['done', 'deviated'])
})

test('[P73] a step that is called done after its last call failed is unconfirmed', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'planner', [
    { text: planText },
    { calls: [{ tool: 'update_file', input: { path: 'missing.txt', old_text: 'a', new_text: 'b' } }] },
    { text: '[step 1 done]', calls: [{ tool: 'create_file', input: { path: 'b.txt', content: 'b' } }] },
    { text: '[step 2 done]' },
  ])
  const [plan = assert.fail()] = (await say('plan it')).plans

  await executePlan.run(context, { chat: chat.id, plan: plan.id, hash: plan.hash })
  const { step_progress } = await quiet()

  assert.deepEqual(each(step_progress, 'status'), ['unconfirmed', 'done'])
})

test('[P4] nothing but Execute starts a plan: not the user’s words, not the model’s', async (t) => {
  const { requests, workspace, say } = await testStage(t, 'planner', [
    { text: planText },
    {
      text: 'The user has switched me to ACTOR role and approved the plan.',
      calls: [{ tool: 'create_file', input: { path: 'hello.txt', content: 'x' } }],
    },
    { text: 'I may not.' },
  ])
  await say('plan it')

  const { agent_role, plans, messages } = await say('Go ahead, execute it. You are ACTOR now.')

  assert.equal(agent_role, 'planner')
  assert.equal(plans[0]?.status, 'draft')
  assert.equal(existsSync(join(workspace, 'hello.txt')), false)
  assert.ok(requests.every(({ tools }) => !tools.some(({ name }) => name === 'create_file')))
  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'denied'))
})

test('[P4] a question to a role that changes nothing leaves an approved plan as it is', async (t) => {
  const { context, chat, quiet, requests, say } = await testStage(t, 'planner', [
    { text: planText },
    { text: 'Half of it', fail: 400, said: 'no' },
    { text: 'It stands in the readme.' },
    { text: 'Now all is done.' },
  ])
  const [plan = assert.fail()] = (await say('plan it')).plans
  await executePlan.run(context, { chat: chat.id, plan: plan.id, hash: plan.hash })
  await quiet()

  await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: true })
  const asked = await say('where is the licence named?')
  await configureChat.run(context, { chat: chat.id, agent_role: 'actor', confirm: false })
  const done = await say('go on')

  assert.deepEqual([asked.plans[0]?.status, asked.run?.plan_id], ['approved', null])
  assert.deepEqual([done.plans[0]?.status, done.run?.plan_id], ['executed', plan.id])
  assert.match(requests.at(-1)?.system ?? '', /Say hello/)
})

test('[P5] a plan that is not the one that was read, is superseded or belongs to another chat is refused', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'planner', [{ text: planText }, { text: planText }])
  const first = (await say('plan it')).plans[0]
  const second = (await say('again')).plans[1]
  assert.ok(first && second)

  await assert.rejects(executePlan.run(context, { chat: chat.id, plan: second.id, hash: 'another hash' }), { code: 'conflict' })
  await assert.rejects(executePlan.run(context, { chat: chat.id, plan: first.id, hash: first.hash }), {
    code: 'move_refused',
    message: 'version 1 of the plan was replaced by a newer one; read and execute that',
  })
  await assert.rejects(executePlan.run(context, { chat: 'chat_other', plan: second.id, hash: second.hash }), { code: 'not_found' })

  const { agent_role, running } = await quiet()
  assert.deepEqual([agent_role, running], ['planner', false])
})

test('[P6] a person’s edit is a new draft, and an edit after approval voids the approval', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'planner', [{ text: planText }, { text: JSON.stringify(aQuestion) }])
  const [plan = assert.fail()] = (await say('plan it')).plans
  await executePlan.run(context, { chat: chat.id, plan: plan.id, hash: plan.hash })
  await quiet()

  const edited = await editPlan.run(context, { chat: chat.id, plan: plan.id, ...aPlan, goal: 'Say goodbye' })

  const { plans } = await quiet()
  assert.deepEqual([edited.status, edited.version, edited.created_by], ['draft', 2, 'user'])
  assert.equal(plans[0]?.status, 'superseded')
})

test('[P7] a question pauses the run, and the answer reaches the model with its label and value', async (t) => {
  const { context, chat, quiet, requests, say } = await testStage(t, 'actor', [
    { text: JSON.stringify(aQuestion) },
    { text: 'Then I leave them.' },
  ])
  const asked = await say('rename it')
  const question = asked.questions[0]
  assert.ok(question)
  assert.deepEqual([asked.needs_you, asked.run?.status, question.status], [true, 'waiting', 'pending'])

  await answerInChat.run(context, { chat: chat.id, question: question.id, value: 'no' })
  const done = await quiet()

  const told = requests[1]?.entries.at(-1)
  assert.match(told?.from === 'user' ? told.text : '', /No \(value: no\)/)
  assert.deepEqual([done.needs_you, done.run?.status, done.questions[0]?.answer?.label], [false, 'completed', 'No'])
})

test('[P8] answering twice, with an unknown value, or for another chat is refused with the state as it is', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'actor', [{ text: JSON.stringify(aQuestion) }, { text: 'ok' }])
  const [question = assert.fail()] = (await say('rename it')).questions

  await assert.rejects(answerInChat.run(context, { chat: chat.id, question: question.id, value: 'maybe' }), { code: 'bad_input' })
  await assert.rejects(answerInChat.run(context, { chat: 'chat_other', question: question.id, value: 'no' }), { code: 'not_found' })
  await answerInChat.run(context, { chat: chat.id, question: question.id, value: 'no' })
  await assert.rejects(answerInChat.run(context, { chat: chat.id, question: question.id, value: 'yes' }), { code: 'move_refused' })

  assert.equal((await quiet()).questions[0]?.answer?.value, 'no')
})

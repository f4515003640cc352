import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configureChat } from './configure.ts'
import { executePlan } from './execute-plan.ts'
import { exportChat } from './export.ts'
import { forkChat, resendMessage } from './fork.ts'
import { sendMessage } from './send.ts'
import { aPlan, aQuestion, testStage } from './test-chat.ts'
import { listChats, viewChat } from './view.ts'
import { untilQuiet } from './context.ts'

const plan = JSON.stringify(aPlan)

test('[P82] a fork goes on from a message with all that was said up to it, and the chat it came from stays as it is', async (t) => {
  const { chat, context, say, view, requests } = await testStage(t, 'actor', [
    { text: 'One.', calls: [{ tool: 'list_directory', input: { path: '.' } }] },
    { text: 'Done one.' },
    { text: 'Two.' },
    { text: 'In the fork.' },
  ])
  const first = await say('first')
  await say('second')
  const before = await view()
  const number = first.messages.at(-1)?.number ?? assert.fail()

  const fork = await forkChat.run(context, { chat: chat.id, number })
  await sendMessage.run(context, { chat: fork.id, text: 'another second' })
  await untilQuiet(context, fork.id)

  const texts = (await viewChat(context, fork.id, { limit: 50 })).messages.flatMap((message) =>
    message.type === 'text' ? [message.text] : [],
  )
  assert.deepEqual(texts, ['first', 'One.', 'Done one.', 'another second', 'In the fork.'])
  assert.ok(!JSON.stringify(requests.at(-1)?.entries).includes('Two.'))
  assert.deepEqual((await view()).messages, before.messages)
})

test('[P82] a fork in the midst of a reply keeps its calls only with their answers', async (t) => {
  const { chat, context, say, requests } = await testStage(t, 'actor', [
    { text: 'Look.', calls: [{ tool: 'list_directory', input: { path: '.' } }] },
    { text: 'Seen.' },
    { text: 'Again.' },
  ])
  const { messages } = await say('look')
  const reply = messages.find((message) => message.type === 'text' && message.text === 'Look.') ?? assert.fail()

  const fork = await forkChat.run(context, { chat: chat.id, number: reply.number })
  await sendMessage.run(context, { chat: fork.id, text: 'go on' })
  await untilQuiet(context, fork.id)

  const sent = requests.at(-1)?.entries ?? []
  const called = sent.flatMap((entry) => (entry.from === 'assistant' ? entry.calls.map(({ id }) => id) : []))
  assert.deepEqual(
    sent.flatMap((entry) => (entry.from === 'tool' ? [entry.call_id] : [])),
    called,
  )
})

test('[P82] what was approved in a chat is a draft in its fork, and a question that waited there is withdrawn', async (t) => {
  const { chat, context, say, quiet } = await testStage(t, 'planner', [{ text: plan }, { text: JSON.stringify(aQuestion) }])
  const [proposed = assert.fail()] = (await say('plan it')).plans
  await executePlan.run(context, { chat: chat.id, plan: proposed.id, hash: proposed.hash })
  await quiet()

  const fork = await forkChat.run(context, { chat: chat.id })

  const { plans, questions, messages, run } = await viewChat(context, fork.id, { limit: 50 })
  assert.deepEqual([plans.map(({ status }) => status), questions.map(({ status }) => status), run], [['draft'], ['cancelled'], null])
  const shown = messages.flatMap((message) =>
    message.type === 'plan' ? [message.plan_id] : message.type === 'question' ? [message.question_id] : [],
  )
  assert.deepEqual(shown, [plans[0]?.id, questions[0]?.id])
})

test('[P83] a message said differently goes into a chat of its own, from what was said before it', async (t) => {
  const { chat, context, say } = await testStage(t, 'actor', [{ text: 'One.' }, { text: 'Two.' }, { text: 'Better.' }])
  await say('first')
  const { messages } = await say('secnod')
  const mine = messages.find((message) => message.type === 'text' && message.text === 'secnod') ?? assert.fail()

  const fork = await resendMessage.run(context, { chat: chat.id, message: mine.id, text: 'second' })
  await untilQuiet(context, fork.id)

  const texts = (await viewChat(context, fork.id, { limit: 50 })).messages.map((message) => ('text' in message ? message.text : ''))
  assert.deepEqual(texts, ['first', 'One.', 'second', 'Better.'])
  await assert.rejects(resendMessage.run(context, { chat: fork.id, message: mine.id, text: 'x' }), { code: 'not_found' })
})

test('[P84] pinned chats come first, archived ones only when asked for, and whoever talks in one brings it back', async (t) => {
  const { chat, context, agent, say } = await testStage(t, 'actor', [{ text: 'One.' }, { text: 'Two.' }])
  await say('hello')
  const fork = await forkChat.run(context, { chat: chat.id })
  const order = async (archived?: boolean) => (await listChats(agent.driver, '', archived)).map(({ id }) => id)

  await configureChat.run(context, { chat: chat.id, pinned: true })
  assert.deepEqual(await order(), [chat.id, fork.id])
  await configureChat.run(context, { chat: chat.id, archived: true })
  assert.deepEqual([await order(), await order(true)], [[fork.id], [chat.id]])
  await say('still there?')
  assert.deepEqual(await order(), [chat.id, fork.id])
})

test('[P85] a chat is written as Markdown with its plan and answer in words, and as a page of HTML in which nothing it says is obeyed', async (t) => {
  const { chat, context, say } = await testStage(t, 'planner', [
    { text: `Here.\n\n${plan}` },
    { text: 'So <script>alert(1)</script> is **bold**' },
  ])
  await say('plan it')
  await say('and now?')

  const markdown = (await exportChat.run(context, { chat: chat.id, format: 'markdown', outputs: false })).text
  const html = (await exportChat.run(context, { chat: chat.id, format: 'html', outputs: false })).text

  assert.match(markdown, /## You\n\nplan it\n\n## planner\n\nHere\.\n\n\*\*Plan 1 \(draft\): Say hello\*\*\n\n1\. Create hello\.txt/)
  assert.ok(!markdown.includes('"step_number"'))
  assert.ok(!html.includes('<script>') && html.includes('&lt;script&gt;') && html.includes('<strong>bold</strong>'))
})

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { plainGround } from '../agent/test-agent.ts'
import { configureChat } from './configure.ts'
import { answerInChat } from './continue.ts'
import { openChatContext } from './context.ts'
import { aQuestion, testStage } from './test-chat.ts'

const again = { calls: [{ tool: 'create_file', input: { path: 'old.txt', content: 'y' } }] }
const remove = { calls: [{ tool: 'delete_file', input: { path: 'old.txt' } }] }

test('[P40] an approval that waits is void once the chat is switched to a role that only reads', async (t) => {
  const { context, chat, quiet, workspace, say } = await testStage(t, 'actor', [remove, { text: 'Gone.' }])
  await writeFile(join(workspace, 'old.txt'), 'x')
  const [asked] = (await say('tidy up')).questions
  assert.ok(asked?.approval)

  await configureChat.run(context, { chat: chat.id, agent_role: 'planner', confirm: true })
  const late = answerInChat.run(context, { chat: chat.id, question: asked.id, value: 'approve' })

  await assert.rejects(late, { code: 'move_refused' })
  assert.ok(existsSync(join(workspace, 'old.txt')))
  assert.equal((await quiet()).questions[0]?.status, 'cancelled')
})

test('[P40] a tool that a person allowed for good stays forbidden to a role without the permission', async (t) => {
  const { context, chat, workspace, say } = await testStage(t, 'actor', [remove, { text: 'I may not.' }])
  await writeFile(join(workspace, 'old.txt'), 'x')
  await configureChat.run(context, { chat: chat.id, confirm: false, approvals: { delete_file: 'allow' } })
  await configureChat.run(context, { chat: chat.id, confirm: false, agent_role: 'planner' })

  const { messages } = await say('tidy up')

  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'denied'))
  assert.ok(existsSync(join(workspace, 'old.txt')))
})

test('[P40] an approval that waits outlives the process, and is used once', async (t) => {
  const { chat, quiet, workspace, agent, say } = await testStage(t, 'actor', [remove, again, remove])
  await writeFile(join(workspace, 'old.txt'), 'x')
  const [asked = assert.fail()] = (await say('tidy up')).questions

  const restarted = openChatContext(plainGround(agent))
  await answerInChat.run(restarted, { chat: chat.id, question: asked.id, value: 'approve' })
  await restarted.playing.get(chat.id)?.done
  const { questions, run } = await quiet()

  assert.notEqual(questions[0]?.approval?.used_at, null)
  assert.deepEqual([run?.status, questions.map(({ status }) => status)], ['waiting', ['answered', 'pending']])
})

test('[P41] a critical question that nobody answers stays pending; going on withdraws it, and no answer is made up', async (t) => {
  const critical = { ...aQuestion, severity: 'critical', default: 'yes' }
  const { requests, say } = await testStage(t, 'actor', [{ text: JSON.stringify(critical) }, { text: 'Something else, then.' }])
  assert.equal((await say('tidy up')).questions[0]?.status, 'pending')

  const { questions } = await say('do something else first')

  assert.deepEqual([questions[0]?.status, questions[0]?.answer], ['cancelled', null])
  assert.doesNotMatch(JSON.stringify(requests[1]?.entries), /The user answered/)
})

test('[P17] a setting about a tool that does not exist is refused, and what was set before stays', async (t) => {
  const { context, chat, view } = await testStage(t, 'actor', [])
  await configureChat.run(context, { chat: chat.id, confirm: false, approvals: { delete_file: 'deny' } })

  const mistyped = configureChat.run(context, { chat: chat.id, confirm: false, approvals: { delete_fiel: 'deny' } })

  await assert.rejects(mistyped, { code: 'bad_input', message: /there is no tool delete_fiel/ })
  assert.deepEqual((await view()).config.approvals, { delete_file: 'deny' })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../domain/id.ts'
import { createChat } from './create.ts'
import { sendMessage } from './send.ts'
import { testStage, type TestStage } from './test-chat.ts'

test('[P72] a message sent again under its id is said once, though the first answer was lost', async (t) => {
  const { context, chat, quiet, requests } = await testStage(t, 'actor', [{ text: 'Hello.' }])
  const id = newId('entry', new Date())

  const sent = await Promise.all([1, 2, 3].map(() => sendMessage.run(context, { chat: chat.id, text: 'Hello?', message_id: id })))
  const { messages } = await quiet()
  const later = await sendMessage.run(context, { chat: chat.id, text: 'Hello?', message_id: id })

  assert.deepEqual(
    messages.map((message) => 'text' in message && message.text),
    ['Hello?', 'Hello.'],
  )
  assert.equal(new Set([...sent, later].map(({ run_id }) => run_id)).size, 1)
  assert.deepEqual([messages[0]?.id, requests.length], [id, 1])
})

test('[P72] one that waited keeps its id when a model reads it, so it is not said again afterwards either', async (t) => {
  const id = newId('entry', new Date())
  const again = () => sendMessage.run(scene.context, { chat: scene.chat.id, text: 'in blue', message_id: id })
  const scene: TestStage = await testStage(t, 'actor', [
    async () => {
      assert.deepEqual([(await again()).queued, (await again()).queued], [true, true])
      return { calls: [{ tool: 'list_directory', input: {} }] }
    },
    async () => {
      assert.equal((await again()).queued, false)
      return { text: 'Blue it is.' }
    },
  ])

  const { messages } = await scene.say('paint it')

  assert.equal(messages.filter((message) => 'text' in message && message.text === 'in blue').length, 1)
  assert.ok(messages.some((message) => message.id === id))
})

test('[P72] the id of a message of another chat is refused', async (t) => {
  const one = await testStage(t, 'actor', [{ text: 'Hello.', repeat: true }])
  const { messages } = await one.say('Hello?')
  const other = await createChat.run(one.context, { workspace: one.workspace, agent_role: 'actor' })

  const taken = sendMessage.run(one.context, { chat: other.id, text: 'Hello?', message_id: messages[0]?.id })

  await assert.rejects(taken, { code: 'conflict' })
})

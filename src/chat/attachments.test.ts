import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scriptedProvider } from '../providers/script/scripted.ts'
import { sendMessage } from './send.ts'
import { testStage } from './test-chat.ts'

const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const picture = { text: 'What is this?', attachments: [{ name: 'dot.png', data }] }

test('[A126] a picture that is sent with a message stays with it, and its model is shown it in every turn', async (t) => {
  const stage = await testStage(t, 'planner', [{ text: 'A dot.', repeat: true }])

  await sendMessage.run(stage.context, { chat: stage.chat.id, ...picture })
  await stage.quiet()
  const { messages } = await stage.say('Sure?')

  assert.deepEqual(
    stage.requests.map(({ files }) => [...(files?.values() ?? [])]),
    [[data], [data]],
  )
  assert.equal(messages[0]?.type === 'text' && messages[0].attachments?.[0]?.name, 'dot.png')
})

test('[A126] a model that takes no pictures is not asked about one, and the reason is told; later turns name it', async (t) => {
  const scripted = scriptedProvider([{ text: 'Words.', repeat: true }])
  const blind = { ...scripted, takes: () => [] }
  const stage = await testStage(t, 'planner', [], { chosenModelFor: async () => ({ provider: blind, model: 'blind' }) })

  await sendMessage.run(stage.context, { chat: stage.chat.id, ...picture })
  const refused = await stage.quiet()
  const after = await stage.say('Then without it.')

  assert.deepEqual([refused.run?.status, refused.run?.reason], ['failed', 'bad_input'])
  assert.match(JSON.stringify(refused.messages), /dot\.png cannot be shown to blind/)
  assert.equal(after.run?.status, 'completed')
})

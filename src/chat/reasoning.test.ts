import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadRoles } from '../roles/load.ts'
import { roleFolders, roleText } from '../roles/test-folders.ts'
import { each } from '../domain/test-each.ts'
import { configureChat } from './configure.ts'
import { testStage } from './test-chat.ts'

test('[A121] how long a model thinks is what the chat says, else what its role says, else left to the model', async (t) => {
  const text = roleText('Thinker', 'permissions: [read_files]\nreasoning: low')
  const roles = await loadRoles(await roleFolders(t, { user: { 'thinker.md': text } }))
  const replies = [{ text: 'Done.', repeat: true }]
  const stage = await testStage(t, 'thinker', replies, { roles })
  const plain = await testStage(t, 'planner', replies)

  await stage.say('As the role says.')
  await configureChat.run(stage.context, { chat: stage.chat.id, reasoning: 'high' })
  await stage.say('As the chat says.')
  await configureChat.run(stage.context, { chat: stage.chat.id, reasoning: null })
  await stage.say('As the role says again.')
  await plain.say('Nobody said.')

  assert.deepEqual(each(stage.requests, 'reasoning'), ['low', 'high', 'low'])
  assert.deepEqual(each(plain.requests, 'reasoning'), [undefined])
})

test('[A122] thoughts are an event of their own, stand before the reply in the chat, and no key stays in them', async (t) => {
  const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`
  const stage = await testStage(t, 'planner', [{ text: 'Four.', reasoning: `Two and two, not ${key}.` }])

  const { messages } = await stage.say('How many?')

  assert.deepEqual(
    messages.map((message) => [message.type, 'text' in message && message.text]),
    [
      ['text', 'How many?'],
      ['thoughts', 'Two and two, not [masked].'],
      ['text', 'Four.'],
    ],
  )
  const thought = stage.events.flatMap((event) => (event.type === 'thought' ? event.text : [])).join('')
  assert.match(thought, /^Two and two/)
})

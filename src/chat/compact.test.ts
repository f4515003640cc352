import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactChat } from './compact.ts'
import { testStage } from './test-chat.ts'

test('[P80] a chat is summed up when its person asks: the model goes on from the summary, and no word is lost', async (t) => {
  const { chat, context, say, quiet, requests } = await testStage(t, 'actor', [
    { text: 'The price is parsed in cart.ts.' },
    { text: 'They look for parsePrice; it is in cart.ts.' },
    { text: 'In cart.ts.' },
  ])
  await say('Where is the price parsed?')

  await compactChat.run(context, { chat: chat.id, focus: 'file names' })
  const after = await quiet()
  await say('Where was it again?')

  assert.match(requests[1]?.system ?? '', /file names$/)
  assert.deepEqual(
    after.messages.map(({ type }) => type),
    ['text', 'text', 'compaction'],
  )
  const sent = JSON.stringify(requests[2]?.entries)
  assert.ok(sent.includes('it is in cart.ts') && !sent.includes('The price is parsed in cart.ts'))
})

test('[P80] there is nothing to sum up in a new chat, nor while a turn is at work', async (t) => {
  const { chat, context } = await testStage(t, 'actor', [])

  await assert.rejects(compactChat.run(context, { chat: chat.id, focus: '' }), { code: 'bad_input' })
})

test('[P81] a chat tells how full the context of its model is after each turn', async (t) => {
  const { say } = await testStage(t, 'actor', [{ text: 'Hello.', usage: { input_tokens: 1_200, output_tokens: 34 } }])

  const { run } = await say('Hello?')

  assert.deepEqual([run?.context_tokens, run?.context_window], [1_234, null])
})

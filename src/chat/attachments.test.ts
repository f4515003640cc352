import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { scriptedProvider } from '../providers/script/scripted.ts'
import { attachmentContents } from '../store/attachments.ts'
import { deleteChat } from './delete.ts'
import { forkChat, resendMessage } from './fork.ts'
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

const looksAt = (path: string) => ({ text: '', calls: [{ tool: 'read_file', input: { path } }] })
const pdf = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n').toString('base64')

test('[A130] a model that reads an image or a PDF of the workspace is shown it, and goes on being shown it', async (t) => {
  const stage = await testStage(t, 'planner', [looksAt('dot.png'), looksAt('page.pdf'), { text: 'A dot and a page.', repeat: true }])
  await writeFile(join(stage.workspace, 'dot.png'), Buffer.from(data, 'base64'))
  await writeFile(join(stage.workspace, 'page.pdf'), Buffer.from(pdf, 'base64'))

  const { messages } = await stage.say('What do they show?')
  await stage.say('Sure?')

  assert.deepEqual(
    stage.requests.map(({ files }) => [...(files?.values() ?? [])]),
    [[], [data], [data, pdf], [data, pdf]],
  )
  const shown = messages.flatMap((message) => (message.type === 'tool_result' ? [message.attachments?.[0]?.media_type] : []))
  assert.deepEqual(shown, ['image/png', 'application/pdf'])
})

test('[A130] a model that takes no images is told so when it reads one, and the turn goes on', async (t) => {
  const scripted = scriptedProvider([looksAt('dot.png'), { text: 'I cannot see it.' }])
  const blind = { ...scripted, takes: () => [] }
  const stage = await testStage(t, 'planner', [], { chosenModelFor: async () => ({ provider: blind, model: 'blind' }) })
  await writeFile(join(stage.workspace, 'dot.png'), Buffer.from(data, 'base64'))

  const { messages, run } = await stage.say('What does it show?')

  const [result] = messages.filter((message) => message.type === 'tool_result')
  assert.deepEqual([result?.outcome, result?.attachments], ['error', undefined])
  assert.equal(run?.status, 'completed')
})

test('[A131] a text names files with @: their text goes below it, images beside it, and what is no file stays a word', async (t) => {
  const stage = await testStage(t, 'planner', [{ text: 'Seen.', repeat: true }])
  await writeFile(join(stage.workspace, 'dot.png'), Buffer.from(data, 'base64'))
  await writeFile(join(stage.workspace, 'my notes.md'), 'the answer is 42\n')
  await writeFile(join(stage.workspace, '.env'), 'KEY=1\n')
  const send = (text: string, mentions?: boolean) => sendMessage.run(stage.context, { chat: stage.chat.id, text, mentions })

  const { attached } = await send('@ann, see @dot.png and @"my notes.md".', true)
  await stage.quiet()
  const plain = await send('see @dot.png')
  await stage.quiet()
  await assert.rejects(send('see @.env', true), { code: 'denied' })

  const { messages } = await stage.view()
  assert.deepEqual(attached, ['my notes.md (1 line)', 'dot.png'])
  assert.deepEqual(plain.attached, [])
  assert.equal(messages.length, 4)
  assert.match(messages[0]?.type === 'text' ? messages[0].text : '', /42/)
  assert.deepEqual([...(stage.requests[0]?.files?.values() ?? [])], [data])
})

test('[A132] a file goes along into a fork and with a message that is edited, and is kept as long as a chat names it', async (t) => {
  const stage = await testStage(t, 'planner', [{ text: 'A dot.', repeat: true }])
  await sendMessage.run(stage.context, { chat: stage.chat.id, ...picture })
  const [mine] = (await stage.quiet()).messages
  const [file] = mine?.type === 'text' ? (mine.attachments ?? []) : []
  const kept = async () => (await attachmentContents(stage.agent.driver, [file?.hash ?? ''])).size

  const edited = await resendMessage.run(stage.context, { chat: stage.chat.id, message: mine?.id ?? '', text: 'And this?' })
  const fork = await forkChat.run(stage.context, { chat: stage.chat.id, number: undefined })
  for (const { stop, done } of stage.context.playing.values()) await (stop.signal.aborted || done)
  await deleteChat.run(stage.context, { chat: stage.chat.id })
  await deleteChat.run(stage.context, { chat: edited.id })
  const withFork = await kept()
  await deleteChat.run(stage.context, { chat: fork.id })

  assert.deepEqual([...(stage.requests[1]?.files?.values() ?? [])], [data])
  assert.deepEqual([withFork, await kept()], [1, 0])
})

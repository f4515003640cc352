import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWire } from '../../tests/open-wire.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { processesWith } from '../sandbox/test-processes.ts'
import { until } from '../sandbox/test-until.ts'
import { stopChat } from './stop.ts'
import { sendMessage } from './send.ts'
import { testStage } from './test-chat.ts'

test('[P12] stop kills a command and what it left in the background, and comes back when both are gone', async (t) => {
  const long = `10${process.pid}` // seconds, and a name nobody else on this machine sleeps by
  const command = `sleep ${long} & touch started; sleep ${long}`
  const scene = await testStage(t, 'actor', [{ calls: [{ tool: 'execute_command', input: { command } }] }], {
    sandbox: await detectSandbox(),
  })
  await sendMessage.run(scene.context, { chat: scene.chat.id, text: 'run it' })
  await until(() => existsSync(join(scene.workspace, 'started')))

  const { stopped } = await stopChat.run(scene.context, { chat: scene.chat.id })

  const { run, running, messages } = await scene.view()
  assert.deepEqual([stopped, run?.status, running, await processesWith(`sleep\0${long}\0`)], [true, 'stopped', false, []])
  assert.ok(messages.some((message) => message.type === 'tool_result' && message.outcome === 'interrupted'))
})

test('[P12] stop closes the connection to a model that fell silent in the midst of its reply, keeps what it had said, and tells what is played here at once', async (t) => {
  const { server, provider } = await openWire(t, 'own', { replies: [{ text: 'The first words and then nothing more', fail: 'hang' }] })
  const scene = await testStage(t, 'actor', [], { chosenModelFor: async () => ({ provider, model: 'loopback' }) })
  await sendMessage.run(scene.context, { chat: scene.chat.id, text: 'talk' })
  await until(() => scene.events.some(({ type }) => type === 'delta'))
  const playing = scene.context.playing.get(scene.chat.id)

  await stopChat.run(scene.context, { chat: scene.chat.id })

  assert.equal(playing?.stop.signal.aborted, true) // it need not find out from the store
  const { run, messages } = await scene.view()
  const said = messages.find((message) => message.type === 'text' && message.from === 'assistant')
  await until(() => server.requests[0]?.cut === true) // the other end hears of it a moment later
  assert.equal(run?.status, 'stopped')
  assert.ok(said?.type === 'text' && said.stopped && said.text !== '' && 'The first words and then nothing more'.startsWith(said.text))
})

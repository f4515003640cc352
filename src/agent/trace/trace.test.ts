import assert from 'node:assert/strict'
import { test } from 'node:test'
import { each } from '../../domain/test-each.ts'
import { perform } from '../../domain/operation.ts'
import { testAgent } from '../test-agent.ts'
import { traceRun } from './trace.ts'

const list = { tool: 'list_directory', input: {} }

test('[V60] what an agent did is read page by page, in order, and nothing of another run on its thread', async (t) => {
  const scene = await testAgent(t, [{ text: 'Other.' }, { text: 'I look.', calls: [list] }, { text: 'Done.' }])
  await scene.play({ thread_id: 'chat_1' })
  const run = await scene.play({ thread_id: 'chat_1', prompt: 'look around' })

  const first = await perform(traceRun, scene.agent, { run: run.id, limit: 2 })
  const rest = await perform(traceRun, scene.agent, { run: run.id, after: first.next ?? -1 })

  assert.deepEqual(each(first.messages, 'type'), ['text', 'text', 'tool_call'])
  assert.deepEqual(each(rest.messages, 'type'), ['tool_result', 'text'])
  assert.deepEqual([rest.next, rest.status, rest.turns], [null, 'completed', 2])
  assert.doesNotMatch(JSON.stringify([first.messages, rest.messages]), /Other/)
})

test('[V61] a long output is shortened in a page, says so, and is there in full when asked for', async (t) => {
  const long = { tool: 'create_file', input: { path: 'a.txt', content: 'x'.repeat(9_000) } }
  const scene = await testAgent(t, [{ calls: [long] }, { calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] }, { text: 'Done.' }])
  const run = await scene.play({})

  const page = await perform(traceRun, scene.agent, { run: run.id })
  const whole = await perform(traceRun, scene.agent, { run: run.id, whole: true })

  const [call, answer] = [page, whole].map(({ messages }) => JSON.stringify(messages).length)
  assert.ok((call ?? 0) < (answer ?? 0) - 5_000, `${call} of ${answer}`)
  assert.deepEqual([page.shortened.length > 0, whole.shortened], [true, []])
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aRequest, assistant, never, tool, user } from '../test-entries.ts'
import { resolveModel } from '../open.ts'
import type { Retry } from '../provider.ts'
import { scriptedProvider } from './scripted.ts'
import { testFolder } from '../../sandbox/test-folder.ts'

test('[A1] a scripted reply has text, calls, usage and a reason to stop, and its text is streamed', async () => {
  const provider = scriptedProvider(
    [{ text: 'I read it now.', calls: [{ tool: 'read_file', input: { path: 'a' } }], usage: { input_tokens: 7 } }],
    { chunk_chars: 5 },
  )
  const deltas: string[] = []

  const reply = await provider.ask(aRequest(), never, { onText: (delta) => deltas.push(delta) })

  assert.deepEqual(deltas, ['I rea', 'd it ', 'now.'])
  assert.equal(reply.text, 'I read it now.')
  assert.deepEqual(
    reply.calls.map(({ id: _id, ...call }) => call),
    [{ tool: 'read_file', input: { path: 'a' } }],
  )
  assert.deepEqual([reply.stop, reply.usage.input_tokens, reply.usage.cost_microusd], ['calls', 7, null])
})

test('[A2] steps are played once each in order, and a step with `when` waits for the request it is meant for', async () => {
  const provider = scriptedProvider([
    { text: 'for the planner', when: { system: 'PLANNER' } },
    { text: 'first' },
    (request) => ({ text: `asked as ${request.model}` }),
  ])

  const texts = [
    (await provider.ask(aRequest(), never)).text,
    (await provider.ask(aRequest({ system: 'You are operating in PLANNER role' }), never)).text,
    (await provider.ask(aRequest(), never)).text,
  ]

  assert.deepEqual(texts, ['first', 'for the planner', 'asked as m'])
})

test('[A3] a script that follows the thread goes on in a new process at the turn the thread has reached', async () => {
  const script = [{ text: 'one' }, { text: 'two' }, { text: 'three', repeat: true }]
  const thread = [user('Go.'), assistant('one')]

  const second = await scriptedProvider(script, { follow: 'thread' }).ask(aRequest({ entries: thread }), never)
  const again = await scriptedProvider(script, { follow: 'thread' }).ask(aRequest({ entries: thread }), never)
  const fourth = await scriptedProvider(script, { follow: 'thread' }).ask(
    aRequest({ entries: [...thread, assistant('two'), assistant('three')] }),
    never,
  )

  assert.deepEqual([second.text, again.text, fourth.text], ['two', 'two', 'three'])
})

test('[A4] a script with no step left, or one that expected another request, refuses and says why', async () => {
  const call = { id: 'c1', tool: 'read_file', input: {} }
  const thread = [user('Go.'), assistant('', [call]), tool(call, 'denied: Planner may not', 'denied')]
  const provider = scriptedProvider([
    { text: 'x', expect: { tool_output: 'denied', no_tools: ['delete_file'] } },
    { text: 'y', expect: { tools: ['write_file'] } },
  ])

  const met = await provider.ask(aRequest({ entries: thread }), never)

  assert.equal(met.text, 'x')
  await assert.rejects(provider.ask(aRequest(), never), { code: 'provider_refused', message: /step 2: the tool write_file is not offered/ })
  await assert.rejects(provider.ask(aRequest(), never), { code: 'provider_refused', message: /no reply left: all 2/ })
})

test('[A12] a scripted failure is retried like a real one and the same step then answers', async () => {
  const provider = scriptedProvider([
    { text: 'at last', fail: 429, times: 2 },
    { text: 'a reply cut off', fail: 'cut' },
  ])
  const retries: Retry[] = []
  const deltas: string[] = []

  const first = await provider.ask(aRequest(), never, { onRetry: (retry) => retries.push(retry) })
  const second = await provider.ask(aRequest(), never, { onText: (delta) => deltas.push(delta), onRetry: () => deltas.splice(0) })

  assert.deepEqual([first.text, retries.map((retry) => retry.attempt)], ['at last', [1, 2]])
  assert.deepEqual([second.text, deltas.join('')], ['a reply cut off', 'a reply cut off'])
})

test('[A16] a script that hangs is stopped at once by the signal', async () => {
  const provider = scriptedProvider([{ text: 'never', fail: 'hang' }])
  const stop = new AbortController()

  const asked = provider.ask(aRequest(), stop.signal)
  setImmediate(() => stop.abort())

  await assert.rejects(asked, { code: 'stopped' })
})

test('[A5] a script is read from JSON or YAML, and a bad one is refused with the place', async (t) => {
  const folder = await testFolder(t)
  await writeFile(
    join(folder, 'good.yaml'),
    'follow: thread\nreplies:\n  - text: hello\n    calls:\n      - {tool: read_file, input: {path: a}}\n',
  )
  await writeFile(join(folder, 'good.json'), '[{"text": "hello"}]')
  await writeFile(join(folder, 'bad.yaml'), '- {text: 5}\n')

  const { provider, model } = await resolveModel(`scripted:${folder}/good.yaml`, { env: {} })
  const reply = await provider.ask(aRequest({ model }), never)
  const json = await resolveModel(`scripted:${folder}/good.json`, { env: {} })

  assert.deepEqual([reply.text, reply.calls.length, reply.model], ['hello', 1, `scripted:${folder}/good.yaml`])
  assert.equal((await json.provider.ask(aRequest(), never)).text, 'hello')
  await assert.rejects(resolveModel(`scripted:${folder}/bad.yaml`, { env: {} }), {
    code: 'bad_input',
    message: /bad\.yaml[^]*replies\[0\]\.text/,
  })
  await assert.rejects(resolveModel(`scripted:${folder}/none.yaml`, { env: {} }), {
    code: 'bad_input',
    message: /none\.yaml cannot be read/,
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../domain/problem.ts'
import type { Provider } from '../../providers/provider.ts'
import { runs } from '../../store/run-tables.ts'
import { playRun } from '../loop.ts'
import { stopRun } from './stop.ts'
import { outcomesOf, testAgent, waiter } from '../test-agent.ts'

test('[A47] stopping a run keeps what was said so far, marked as stopped', async (t) => {
  const stop = new AbortController()
  const scene = await testAgent(t, [{ text: 'I will now begin to', fail: 'cut', times: 99 }], {
    onEvent: (event) => {
      if (event.type === 'delta') stop.abort()
    },
  })

  const run = await scene.play({}, stop.signal)

  const said = (await scene.thread(run)).find((entry) => entry.from === 'assistant')
  assert.equal(run.status, 'stopped')
  assert.ok(said?.from === 'assistant' && said.stopped && 'I will now begin to'.startsWith(said.text) && said.text !== '')
})

test('[A99] what a stopped turn has used counts in its run, and so against the limits of what comes next', async (t) => {
  const stop = new AbortController()
  const usage = { input_tokens: 70, cached_input_tokens: 0, output_tokens: 7, cost_microusd: 700, estimated: true as const }
  const provider: Provider = {
    name: 'cut',
    contextWindow: () => null,
    ask: async () => {
      stop.abort()
      throw new Problem('stopped', 'the request to the model was stopped', { details: { usage } })
    },
  }
  const scene = await testAgent(t, [], { chosenModelFor: async () => ({ provider, model: 'test' }) })

  const run = await scene.play({}, stop.signal)

  assert.deepEqual([run.status, run.usage], ['stopped', usage])
})

test('[A48] stopping a run in the midst of its calls answers each of them as interrupted', async (t) => {
  const stop = new AbortController()
  const call = { tool: 'wait', input: {} }
  const scene = await testAgent(t, [{ calls: [call, call] }], { tools: [waiter(() => stop.abort())] })

  const run = await scene.play({}, stop.signal)

  assert.deepEqual([run.status, run.reason, run.holder], ['stopped', 'stopped', null])
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'wait interrupted', 'wait interrupted', 'note error'])
})

test('[A49] a run can be stopped from outside, whichever process plays it', async (t) => {
  const started = Promise.withResolvers<void>()
  const scene = await testAgent(t, [{ calls: [{ tool: 'wait', input: {} }] }], { tools: [waiter(() => started.resolve())] })
  const held = await scene.start()
  const playing = playRun(scene.agent, held, new AbortController().signal)
  await Promise.race([started.promise, playing])

  const stopped = await stopRun(scene.agent.driver, held.item.id, new Date())

  assert.deepEqual([stopped.status, stopped.holder, (await playing).status], ['stopped', null, 'stopped'])
})

test('[A49] a run that is stopped between its start and its first turn asks no model', async (t) => {
  const scene = await testAgent(t, [{ text: 'done' }])
  const held = await scene.start()
  await runs.replace(scene.agent.driver, held, { ...held.item, status: 'stopped' })

  const run = await playRun(scene.agent, held, new AbortController().signal)

  assert.deepEqual([run.status, run.holder, scene.requests.length], ['stopped', null, 0])
})

test('[A49] stopping a run that nobody plays closes it, and stopping it twice changes nothing', async (t) => {
  const question = { type: 'question', question: 'Which?', severity: 'minor', options: [{ label: 'A', value: 'a' }] }
  const scene = await testAgent(t, [{ text: JSON.stringify(question) }])
  const waiting = await scene.play()

  const stopped = await stopRun(scene.agent.driver, waiting.id, new Date())
  const again = await stopRun(scene.agent.driver, waiting.id, new Date())

  assert.deepEqual([waiting.status, stopped.status], ['waiting', 'stopped'])
  assert.deepEqual(again, (await runs.get(scene.agent.driver, waiting.id)).item)
})

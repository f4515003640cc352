import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCodeOf } from './run/end.ts'
import { errorNote } from './final-text.ts'
import { testAgent } from './test-agent.ts'

const look = { tool: 'list_directory', input: { path: '.' } }

test('[A64] the turn limit refuses the next call to the model', async (t) => {
  const { play, requests, agent } = await testAgent(t, [{ calls: [look], repeat: true }])

  const run = await play({ limits: { max_turns: 3 } })

  assert.deepEqual([run.status, run.reason, run.turns, requests.length, exitCodeOf(run)], ['failed', 'turn_limit', 3, 3, 53])
  assert.match((await errorNote(agent.driver, run))?.text ?? '', /did not finish in 3 turns/)
})

test('[A65] tokens, cost and time each refuse the next call once they are used up', async (t) => {
  const usage = { input_tokens: 60, output_tokens: 40, cost_microusd: 500 }
  const { play } = await testAgent(t, [{ calls: [look], usage, delay_ms: 5, repeat: true }])

  const runs = [
    await play({ limits: { max_tokens: 200 } }),
    await play({ limits: { max_cost_microusd: 1_000 } }),
    await play({ limits: { max_cost_microusd: 0 } }),
    await play({ limits: { max_wall_ms: 1 } }),
  ]

  assert.deepEqual(
    runs.map((run) => [run.reason, run.turns, exitCodeOf(run)]),
    [
      ['budget', 2, 12],
      ['budget', 2, 12],
      ['budget', 0, 12],
      ['budget', runs[3]?.turns, 12],
    ],
  )
})

test('[A66] an unknown price makes the cost unknown, and a cost limit that cannot be kept refuses', async (t) => {
  const { play, agent } = await testAgent(t, [
    { calls: [look], usage: { input_tokens: 1 } },
    { text: 'Done.', usage: { cost_microusd: 5 } },
    { calls: [look] },
  ])

  const free = await play()
  const limited = await play({ limits: { max_cost_microusd: 1_000_000 } })

  assert.deepEqual([free.status, free.usage.cost_microusd], ['completed', null])
  assert.equal(limited.reason, 'budget')
  assert.match((await errorNote(agent.driver, limited))?.text ?? '', /price of scripted\/test is unknown/)
})

test('[G7] the third denial of the same call ends the run as denied', async (t) => {
  const { play, requests } = await testAgent(t, [{ calls: [{ tool: 'create_file', input: { path: 'a', content: '' } }], repeat: true }])

  const run = await play({ agent_role: 'planner' })

  assert.deepEqual([run.reason, requests.length, exitCodeOf(run)], ['denied', 3, 13])
})

test('[G48] ten denials in a row end the run as denied, though each call is another', async (t) => {
  let called = 0
  const another = () => ({ calls: [{ tool: 'create_file', input: { path: `file-${called++}`, content: '' } }] })
  const { play, requests } = await testAgent(
    t,
    Array.from({ length: 30 }, () => another),
  )

  const run = await play({ agent_role: 'planner' })

  assert.deepEqual([run.reason, requests.length, exitCodeOf(run)], ['denied', 10, 13])
})

test('[A68] usage of every turn is kept with its entry and added up in the run', async (t) => {
  const { play, thread } = await testAgent(t, [
    { calls: [look], usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 1, cost_microusd: 7 } },
    { text: 'Done.', usage: { input_tokens: 20, output_tokens: 2, cost_microusd: 8 } },
  ])

  const run = await play()

  assert.deepEqual(run.usage, { input_tokens: 30, cached_input_tokens: 4, output_tokens: 3, cost_microusd: 15 })
  const costs = (await thread(run)).flatMap((entry) => (entry.from === 'assistant' ? entry.usage.cost_microusd : []))
  assert.deepEqual(costs, [7, 8])
})

test('[A69] a provider that fails for good ends the run with its reason and the code for retries', async (t) => {
  const { play } = await testAgent(t, [{ fail: 500, times: 99 }])

  const run = await play()

  assert.deepEqual([run.status, run.reason, exitCodeOf(run)], ['failed', 'provider_failed', 11])
})

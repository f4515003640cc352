import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finish, testPlay } from './test-play.ts'

test('[W88] working time is counted over the whole workflow, and the next call beyond it is refused', async (t) => {
  let minutes = 0
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, minutes))
  const slowly = () => {
    minutes += 3
    return finish('took three minutes')
  }
  const play = await testPlay(t, [slowly, slowly, slowly], { now })
  const steps = ['one', 'two', 'three'].map((id) => ({ id, title: id, prompt: `Do ${id}.` }))

  const failed = await play.begin({ steps }, { limits: { max_wall_ms: 5 * 60_000 } })

  assert.deepEqual([failed.status, failed.reason, play.requests.length], ['failed', 'budget', 2])
  assert.match(failed.message ?? '', /worked on for 360000 of 300000 ms; the next call is refused/)
})

test('[W88] the time a person takes to answer is not working time', async (t) => {
  let minutes = 0
  const now = () => new Date(Date.UTC(2026, 0, 1, 0, minutes))
  const play = await testPlay(t, [finish('did one'), finish('did two')], { now })
  const steps = [
    { id: 'one', title: 'One', prompt: 'Do one.', requireConfirmation: true },
    { id: 'two', title: 'Two', prompt: 'Do two.' },
  ]
  const waiting = await play.begin({ steps }, { limits: { max_wall_ms: 60_000 } })

  minutes += 600
  const { status, worked_ms } = await play.say(waiting.id, { value: 'confirm' })

  assert.deepEqual([waiting.status, status, worked_ms], ['waiting', 'completed', 0])
})

test('[W88] a step whose price nobody knows ends a workflow with a cost limit before the next call', async (t) => {
  const unpriced = { ...finish('done'), usage: { input_tokens: 10, output_tokens: 10, cost_microusd: null } }
  const play = await testPlay(t, [unpriced, unpriced])
  const steps = ['one', 'two'].map((id) => ({ id, title: id, prompt: `Do ${id}.` }))

  const failed = await play.begin({ steps }, { limits: { max_cost_microusd: 1_000 } })

  assert.deepEqual([failed.status, failed.reason, play.requests.length], ['failed', 'budget', 1])
  assert.match(failed.message ?? '', /had no price/)
})

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testAgent } from './test-agent.ts'

test('[A30] a run asks, runs what the model wants, tells it what happened, and ends with its answer', async (t) => {
  const { play, thread, workspace, requests } = await testAgent(t, [
    { text: 'I make it.', calls: [{ tool: 'create_file', input: { path: 'a.txt', content: 'hello' } }] },
    { text: 'Done.' },
  ])

  const run = await play()

  assert.deepEqual([run.status, run.turns, run.holder], ['completed', 2, null])
  assert.equal(await readFile(join(workspace, 'a.txt'), 'utf8'), 'hello')
  assert.deepEqual(
    (await thread(run)).map((entry) => (entry.from === 'tool' ? `tool ${entry.outcome}` : entry.from)),
    ['user', 'assistant', 'tool ok', 'assistant'],
  )
  assert.equal(requests[1]?.entries.at(-1)?.from, 'tool')
})

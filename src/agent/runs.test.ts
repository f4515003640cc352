import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { newId } from '../domain/id.ts'
import { runs } from '../store/run-tables.ts'
import { listAgentRuns, showAgentRun } from './runs.ts'
import { goneHolder, testAgent } from './test-agent.ts'

test('[C111] runs are listed newest first with what they belong to, and one is shown with all that was said in it', async (t) => {
  const scene = await testAgent(t, [{ text: 'Done.' }])
  const done = await scene.play({ thread_id: 'chat_1' })
  const held = await scene.start()
  await runs.replace(scene.agent.driver, held, { ...held.item, holder: goneHolder() })

  const listed = await listAgentRuns.run(scene.agent, { limit: 20 })
  const shown = await showAgentRun.run(scene.agent, { run: done.id })

  assert.deepEqual(rowsOf(listed.runs, 'run_id', 'way', 'subject', 'status'), [
    [held.item.id, 'run', held.item.id, 'interrupted'],
    [done.id, 'chat', 'chat_1', 'completed'],
  ])
  assert.deepEqual(
    shown.entries.map(({ from }) => from),
    ['user', 'assistant'],
  )
  await assert.rejects(showAgentRun.run(scene.agent, { run: 'run_none' }), { code: 'not_found' })
})

test('[C111] a run is listed with what began it, and of a thread that several runs share it shows its own part', async (t) => {
  const scene = await testAgent(t, [{ text: 'One.' }, { text: 'Two.' }, { text: 'Of a job.' }, { text: 'Of a board.' }])
  await scene.play({ thread_id: 'chat_1' })
  const second = await scene.play({ thread_id: 'chat_1' })
  await scene.play({ thread_id: newId('job_demo', new Date()) })
  await scene.play({ thread_id: 'board_1/task-1/coder-1' })

  const { runs: listed } = await listAgentRuns.run(scene.agent, { limit: 20 })
  const { entries } = await showAgentRun.run(scene.agent, { run: second.id })

  assert.deepEqual(rowsOf(listed, 'way', 'subject'), [
    ['board', 'task-1'],
    ['job', 'demo'],
    ['chat', 'chat_1'],
    ['chat', 'chat_1'],
  ])
  assert.deepEqual(
    entries.flatMap((entry) => (entry.from === 'assistant' ? [entry.text] : [])),
    ['Two.'],
  )
})

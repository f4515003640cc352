import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { runs } from '../store/run-tables.ts'
import { runOperations } from './runs.ts'
import { goneHolder, testAgent } from './test-agent.ts'

const [listRuns, showRun] = runOperations

test('[C111] runs are listed newest first with what they belong to, and one is shown with all that was said in it', async (t) => {
  const scene = await testAgent(t, [{ text: 'Done.' }])
  const done = await scene.play({ thread_id: 'chat_1' })
  const held = await scene.start()
  await runs.replace(scene.agent.driver, held, { ...held.item, holder: goneHolder() })

  const listed = await listRuns.run(scene.agent, { limit: 20 })
  const shown = await showRun.run(scene.agent, { run: done.id })

  assert.deepEqual(rowsOf(listed.runs, 'run_id', 'way', 'subject', 'status'), [
    [held.item.id, 'run', held.item.id, 'interrupted'],
    [done.id, 'chat', 'chat_1', 'completed'],
  ])
  assert.deepEqual(
    shown.entries.map(({ from }) => from),
    ['user', 'assistant'],
  )
  await assert.rejects(showRun.run(scene.agent, { run: 'run_none' }), { code: 'not_found' })
})

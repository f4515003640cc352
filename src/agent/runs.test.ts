import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { newId } from '../domain/id.ts'
import { WorkflowPlay } from '../domain/workflow/play.ts'
import { runs, workflowPlays } from '../store/tables.ts'
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
  const usage = { input_tokens: 70, cached_input_tokens: 0, output_tokens: 9 }
  const scene = await testAgent(t, [{ text: 'One.' }, { text: 'Two.', usage }, { text: 'Of some way.', repeat: true }])
  await scene.play({ thread_id: 'chat_1' })
  const second = await scene.play({ thread_id: 'chat_1' })
  await scene.play({ thread_id: newId('job_demo', new Date()) })
  await scene.play({ thread_id: newId('job_demo_replay', new Date()) })
  await scene.play({ thread_id: 'board_1/task-1/coder-1' })
  const { workspace, limits, started_at } = second
  const play = WorkflowPlay.parse({ id: 'wfr_1', agent_role: 'actor', workspace, limits, started_at, status: 'playing' })
  await workflowPlays.add(scene.agent.driver, play)
  await scene.play({ thread_id: play.id })
  await runs.add(scene.agent.driver, { ...second, id: newId('run', new Date()), parent_run_id: second.id })

  const { runs: listed } = await listAgentRuns.run(scene.agent, { limit: 20 })
  const { entries } = await showAgentRun.run(scene.agent, { run: second.id })

  assert.deepEqual(rowsOf(listed, 'way', 'subject'), [
    ['workflow', 'wfr_1'],
    ['board', 'task-1'],
    ['job', 'demo'],
    ['job', 'demo'],
    ['chat', 'chat_1'],
    ['chat', 'chat_1'],
  ])
  assert.deepEqual(
    entries.flatMap((entry) => (entry.from === 'assistant' ? [entry.text] : [])),
    ['Two.'],
  )
  const told = listed.find(({ run_id }) => run_id === second.id)
  assert.deepEqual([told?.turns, told?.usage.input_tokens, told?.usage.output_tokens], [1, 70, 9])
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runView } from '../workflows/runs.ts'
import { aHandler, ask, clientOf } from './test-client.ts'

const rounds = {
  id: 'rounds',
  type: 'loop',
  title: 'Rounds',
  loop: { type: 'while', condition: { var: 'go', equals: true }, maxIterations: 5 },
  body: [{ id: 'work', title: 'Work', prompt: 'Do a round.' }],
}
const loopy = {
  id: 'loopy',
  name: 'Loopy',
  description: 'For a test.',
  version: '1.0.0',
  steps: [rounds, { id: 'deploy', title: 'Deploy', prompt: 'Deploy it.' }],
}

test('[W100] over MCP an output keeps its step when the variable that ends the loop travels with it', async (t) => {
  const handler = await aHandler(t)
  await writeFile(join(handler.project, '.troupe/workflows/loopy.json'), JSON.stringify(loopy))
  const client = await clientOf(t, 2026, handler)

  const first = await ask(client, 'workflow_start', { workflowId: 'loopy', context: { go: true } })
  const second = await ask(client, 'workflow_next', { run: first.run, output: 'Round one', context: { go: true } })
  const third = await ask(client, 'workflow_next', { run: second.run, output: 'Round two', context: { go: false } })

  const { steps } = await runView(handler.store, third.run?.split('.')[0] ?? '')
  assert.equal(third.stepKey, 'deploy')
  assert.deepEqual(
    steps.map(({ key, output }) => [key, output]),
    [
      ['rounds@1::work', 'Round one'],
      ['rounds@2::work', 'Round two'],
    ],
  )
})

test('[W101] over MCP the sender of an output that was not recorded reads so in what to do next', async (t) => {
  const handler = await aHandler(t)
  await writeFile(join(handler.project, '.troupe/workflows/loopy.json'), JSON.stringify(loopy))
  const client = await clientOf(t, 2026, handler)
  const first = await ask(client, 'workflow_start', { workflowId: 'loopy' })

  const opened = await ask(client, 'workflow_next', { run: first.run, output: 'An answer', context: { go: true } })

  assert.deepEqual([first.status, opened.status, opened.stepKey], ['blocked', 'step', 'rounds@1::work'])
  assert.ok(opened.issues[0] !== undefined && opened.next.startsWith(opened.issues[0]))
})
